package httprange

// AsInBrowser makes the source read as if it ran in a browser.
func (s *Source) AsInBrowser() *Source {
	s.browser = true
	return s
}
