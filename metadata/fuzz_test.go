package metadata

import "testing"

// Fuzzing: arbitrary bytes never panic, and what is parsed keeps its promises.
// testing's own time limit catches what does not end; memory is bounded by
// TestHugeCountsAreCheap and TestEveryByteOfAFooterChanged.

func FuzzFooter(f *testing.F) {
	for _, raw := range fixtures(f) {
		if footer, size := footerOf(f, raw); len(footer) < 1500 {
			f.Add(footer, size)
		}
	}
	s := samples["STRING"]
	col := s.col
	col.name, col.meta = "c", stats(Statistics{MinValue: s.lo, MaxValue: s.hi, NullCount: ptr(int64(3)), MaxExact: ptr(true)})
	f.Add(fileSpec{columns: []columnSpec{col}, rows: 10, orders: 1, junk: true}.footer(), int64(craftedSize))
	f.Fuzz(func(t *testing.T, raw []byte, size int64) {
		file, err := ParseFooter(raw, size)
		if err != nil {
			_ = err.Error()
			return
		}
		var rows int64
		for i, g := range file.RowGroups {
			if g.Index != i || g.FirstRow != rows || g.NumRows < 0 {
				t.Fatalf("row group %d: %+v", i, g)
			}
			rows += g.NumRows
		}
		if rows != file.NumRows {
			t.Fatalf("%d rows of %d", rows, file.NumRows)
		}
		for i, c := range file.Schema.Columns {
			if c.Index != i || len(c.Path) == 0 || c.MaxRep > c.MaxDef {
				t.Fatalf("column %d: %+v", i, c)
			}
		}
		useAll(file)
		parts, err := file.Parts()
		if err != nil {
			return
		}
		for path, groups := range parts {
			if part, ok := file.Part(path, groups, size); ok {
				useAll(part)
			}
		}
	})
}

func FuzzFooterLength(f *testing.F) {
	f.Add([]byte("\x10\x00\x00\x00PAR1"), int64(100))
	f.Fuzz(func(t *testing.T, tail []byte, size int64) {
		if n, err := FooterLength(tail, size); err == nil && (n <= 0 || n > size-magicLength-TailLength) {
			t.Fatalf("a footer of %d bytes in a file of %d", n, size)
		}
	})
}

func FuzzPageHeader(f *testing.F) {
	f.Add(pageV1(func(w *crafter) { w.sub(5, Statistics{MinValue: []byte("a"), NullCount: ptr(int64(3))}.craft) }))
	f.Add(pageV1(func(w *crafter) { w.sub(5, func(w *crafter) { w.b = append(w.b, 0x10) }) })) // a stop with an id
	for _, raw := range fixtures(f) {
		f.Add(raw[4:min(len(raw), 120)])
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		h, err := ParsePageHeader(b, true)
		if h.Length > len(b) {
			t.Fatalf("a header of %d bytes in %d", h.Length, len(b))
		}
		if err != nil {
			return
		}
		if h.CompressedSize < 0 || h.UncompressedSize < 0 || h.Type != IndexPage && h.NumValues < 0 ||
			h.Type == DataPageV2 && int64(h.DefLength)+int64(h.RepLength) > int64(h.CompressedSize) {
			t.Fatalf("%+v", h)
		}
		if short, err := ParsePageHeader(b, false); err != nil || short.Length != h.Length || short.NumValues != h.NumValues {
			t.Fatalf("without statistics: %+v, %v; with: %+v", short, err, h)
		}
		if _, err := ParsePageHeader(b[:h.Length], true); err != nil {
			t.Fatalf("the header's own bytes are not enough: %v", err)
		}
	})
}

func FuzzColumnIndex(f *testing.F) {
	f.Add(craftColumnIndex(func(w *crafter) { w.i64s(5, 10, 0); w.i64s(8, 0, 1) }), uint8(0))
	for i := range uint8(8) {
		f.Add(craftColumnIndex(nil), i)
	}
	cols := []columnSpec{colInt32, colUint64, colDouble, colString, colDecimalB, colDecimalF, colFloat16, colInt96}
	files := make([]*File, 2*len(cols))
	for i := range files {
		col := cols[i/2]
		col.name = "c"
		files[i] = parseCrafted(f, fileSpec{columns: []columnSpec{col}, rows: 20, orders: i % 2})
	}
	f.Fuzz(func(t *testing.T, b []byte, which uint8) {
		x, err := ParseColumnIndex(b)
		if err != nil {
			return
		}
		file := files[int(which)%len(files)]
		c, err := file.RowGroups[0].Chunk(file.Schema.Columns[0])
		if err != nil {
			t.Fatal(err)
		}
		rows := make([]int64, len(x.NullPages))
		for i := range rows {
			rows[i] = 10
		}
		zones, belief := file.PageZones(c, x, rows)
		if zones == nil && belief.Why == "" && len(rows) > 0 {
			t.Fatal("no zones and no reason")
		}
		for _, z := range zones {
			checkZone(c.Column, z, func(s string) { t.Fatalf("%s", s) })
		}
	})
}

func FuzzOffsetIndex(f *testing.F) {
	f.Add(fields(func(w *crafter) {
		w.list(1, tStruct, 3)
		for i := range int64(3) {
			w.elem(func(w *crafter) { w.i64(1, 100+50*i); w.i32(2, int32(50-i)); w.i64(3, 10*i) })
		}
		w.i64s(2, 1, 2, 3)
	}), int64(100), int64(150), int64(30))
	f.Fuzz(func(t *testing.T, b []byte, offset, length, rows int64) {
		x, err := ParseOffsetIndex(b)
		if err != nil || offset < 0 || length < 0 || rows < 0 || offset > 1<<62 || length > 1<<62 {
			return
		}
		chunk := Extent{Offset: offset, Length: length}
		if x.Settle(&Chunk{Pages: chunk}, rows) != "" {
			return
		}
		at, row := offset, int64(0)
		for i, p := range x.Pages {
			from, to := x.Rows(i, rows)
			if p.Offset < at || p.Length <= 0 || p.Offset+p.Length > chunk.End() || from != row || to < from || to > rows {
				t.Fatalf("page %d of %+v in %v of %d rows", i, x.Pages, chunk, rows)
			}
			at, row = p.Offset+p.Length, to
		}
		if row != rows {
			t.Fatalf("the pages hold %d of %d rows", row, rows)
		}
	})
}

func FuzzBloomHeader(f *testing.F) {
	f.Add(bloomHeader(1024, 1, 1, 1))
	f.Add(bloomHeader(32, 1, 2, 0))
	f.Fuzz(func(t *testing.T, b []byte) {
		if h, err := ParseBloomHeader(b); h.Length > len(b) || err == nil && (h.NumBytes <= 0 || h.NumBytes%32 != 0) {
			t.Fatalf("%+v of %d bytes, %v", h, len(b), err)
		}
	})
}
