package main

import (
	"context"
	"os"

	"github.com/parequet/pare"
	"github.com/parequet/pare/bench/peer"
	"github.com/parequet/pare/internal/page"
	"github.com/parequet/pare/metadata"
)

// codecTask reads and decompresses the pages of a column and does nothing with
// them: what the codec takes by itself.
func codecTask(t peer.Task) (a peer.Answer, err error) {
	f, err := pare.OpenFile(context.Background(), t.File, pare.Options{})
	if err != nil {
		return a, err
	}
	defer f.Close()
	src, err := os.Open(t.File)
	if err != nil {
		return a, err
	}
	defer src.Close()
	var buf []byte
	for _, g := range f.Metadata().RowGroups {
		for _, col := range f.Metadata().Schema.Columns {
			if col.Name != t.Columns[0] {
				continue
			}
			c, err := g.Chunk(col)
			if err != nil {
				return a, err
			}
			if int64(cap(buf)) < c.Pages.Length {
				buf = make([]byte, c.Pages.Length)
			}
			buf = buf[:c.Pages.Length]
			if _, err := src.ReadAt(buf, c.Pages.Offset); err != nil {
				return a, err
			}
			if err := decompress(c, buf, &a); err != nil {
				return a, err
			}
		}
	}
	return a, nil
}

func decompress(c *metadata.Chunk, b []byte, a *peer.Answer) error {
	dec := page.Decoder{Column: c.Column, Codec: c.Codec, MaxBytes: 1 << 30}
	defer dec.Close()
	for len(b) > 0 {
		h, err := metadata.ParsePageHeader(b, false)
		if err != nil {
			return err
		}
		if h.Type == metadata.DataPage || h.Type == metadata.DataPageV2 {
			d, err := dec.Data(h, b)
			if err != nil {
				return err
			}
			a.Rows += int64(d.N) // it is no list
		}
		b = b[h.Length+int(h.CompressedSize):]
	}
	return nil
}
