module github.com/parequet/pare/source/gcs

go 1.26.0

replace github.com/parequet/pare => ../..

require (
	github.com/parequet/pare v0.0.0-00010101000000-000000000000
	golang.org/x/oauth2 v0.38.0
)

require cloud.google.com/go/compute/metadata v0.3.0 // indirect
