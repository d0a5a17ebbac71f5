package metadata

import "path"

// Parts takes the footer of a file of footers apart, such as _metadata beside the
// files of a table: it returns the row groups of each other file, by its path relative
// to the folder. It is an error if a row group lies in no other file, or if the row
// groups do not have as many rows as the footer claims. Files that a row group names
// whose chunks lie in several are left out: not all of their rows are known.
func (f *File) Parts() (map[string][]int, error) {
	if f.NumRows != f.claimed {
		return nil, formatErr("footer", -1, "it claims %d rows, its row groups hold %d", f.claimed, f.NumRows)
	}
	parts, doubtful := map[string][]int{}, map[string]bool{}
	for i, g := range f.RowGroups {
		paths := map[string]bool{}
		for c := range g.chunkAt {
			p, ok := g.filePath(c)
			if !ok || p == "" {
				return nil, formatErr("footer", -1, "chunk %d of row group %d lies in no other file", c, i)
			}
			paths[path.Clean(p)] = true
		}
		if len(paths) == 0 {
			return nil, formatErr("footer", -1, "row group %d has no columns, so that it lies in no file", i)
		}
		for p := range paths {
			parts[p] = append(parts[p], i)
			doubtful[p] = doubtful[p] || len(paths) > 1
		}
	}
	for p := range doubtful {
		if doubtful[p] {
			delete(parts, p)
		}
	}
	return parts, nil
}

// filePath is where the pages of a chunk lie: in the file itself if it is empty.
func (g *RowGroup) filePath(chunk int) (path string, ok bool) {
	r := &thriftReader{b: g.file.raw, p: int(g.chunkAt[chunk])}
	r.eachField(func(id int16, typ byte) bool { return id == 1 && r.string(typ, &path) })
	return path, r.err == nil
}

// Schemas are those of many files, each once. It is not safe for concurrent use.
type Schemas map[string]*Schema

// Share gives the file the schema of an earlier file whose schema is the same, so
// that both are kept once. It comes before anything else is done with the file.
func (s Schemas) Share(f *File) {
	if known, ok := s[string(f.schema)]; ok {
		f.Schema = known
		return
	}
	s[string(f.schema)] = f.Schema
}

// Outline is the file without its row groups, and without the bytes of its footer:
// its schema, and what counts are.
func (f *File) Outline() *File {
	return &File{Size: f.Size, Footer: f.Footer, Version: f.Version, NumRows: f.NumRows, CreatedBy: f.CreatedBy, Writer: f.Writer, Schema: f.Schema}
}

// FooterBytes is how long the footer is that the file keeps.
func (f *File) FooterBytes() int { return len(f.raw) }

// Part is one of the files of [File.Parts], of a size in bytes, as if its own footer
// had been parsed. ok is false if what is known of it is not all of it, or not of this
// file, as far as that shows: its row groups have to fill it, one behind the other,
// from its beginning to the indexes, and what is behind these has to be no longer than
// a footer of just these row groups.
func (f *File) Part(name string, rowGroups []int, size int64) (_ *File, ok bool) {
	part := *f
	part.path, part.Size, part.NumRows = name, size, -1
	part.Footer = Extent{Offset: size, Piece: Piece{Kind: PieceFooter}} // no byte of the file is known to be one
	part.RowGroups = make([]*RowGroup, len(rowGroups))
	footer := len(f.raw) + TailLength
	for _, g := range f.RowGroups {
		footer -= g.length // schema, names and values stay, which all files have
	}
	for i, at := range rowGroups {
		g := *f.RowGroups[at]
		g.Index, g.file = i, &part
		part.RowGroups[i] = &g
		footer += g.length
	}
	if part.number() != nil {
		return nil, false
	}
	end, indexes := int64(magicLength), int64(0)
	for _, g := range part.RowGroups {
		x, ok := g.spans()
		if !ok || x.from != end {
			return nil, false
		}
		end, indexes = x.to, max(indexes, x.indexes)
		footer -= x.paths
	}
	rest := size - max(end, indexes)
	return &part, rest >= 0 && rest <= int64(footer)
}

// spans is where the pages of a row group lie, where the last of its indexes and
// filters ends, and how many bytes of its struct tell which file that is in.
func (g *RowGroup) spans() (x struct {
	from, to, indexes int64
	paths             int
}, ok bool) {
	x.from = g.file.Size
	for _, col := range g.file.Schema.Columns {
		c, err := g.Chunk(col)
		p, told := g.filePath(col.Index)
		if err != nil || !told {
			return x, false
		}
		x.from, x.to = min(x.from, c.Pages.Offset), max(x.to, c.Pages.End())
		for _, e := range []Extent{c.ColumnIndex, c.OffsetIndex, {Offset: c.BloomOffset, Length: c.BloomLength}} {
			if e.Offset > 0 && e.Length > 0 && e.Length <= g.file.Size && e.Offset <= g.file.Size-e.Length {
				x.indexes = max(x.indexes, e.End())
			}
		}
		x.paths += 2 + len(p) // the field's header, a length, the text
	}
	return x, true
}
