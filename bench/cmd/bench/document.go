package main

type document struct {
	f       files
	runs    int
	readers []reader
	texts   []string
}

func (d *document) add(w work, ms []measured, text string) { d.texts = append(d.texts, text) }
func (d *document) physical(limits, growth bool, s *server) error { return nil }
func (d *document) write(string) error { return nil }
