module github.com/parequet/pare/source/azure

go 1.25.0

require github.com/parequet/pare v0.0.0-00010101000000-000000000000

replace github.com/parequet/pare => ../..
