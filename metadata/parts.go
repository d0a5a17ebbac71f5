package metadata

// Parts takes the footer of a file of footers apart, such as _metadata beside the
// files of a table: it returns the row groups whose pages lie in each other file,
// by its path as it is written, relative to the folder. Where the chunks of a row
// group lie in several files, or in this one, the row group is left out.
func (f *File) Parts() map[string][]int {
	parts := map[string][]int{}
	for i, g := range f.RowGroups {
		path := ""
		for c := range g.chunkAt {
			p, ok := g.filePath(c)
			if !ok || p == "" || c > 0 && p != path {
				path = ""
				break
			}
			path = p
		}
		if path != "" {
			parts[path] = append(parts[path], i)
		}
	}
	return parts
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

// Part is one of the files of [File.Parts], as if its own footer had been parsed:
// with these row groups, and of a size in bytes. Nothing says whether that footer is
// still what it was; places outside the file are errors, as always.
func (f *File) Part(path string, rowGroups []int, size int64) (*File, error) {
	part := *f
	part.path, part.Size, part.NumRows = path, size, -1
	part.Footer = Extent{Offset: size, Piece: Piece{Kind: PieceFooter}} // no byte of the file is known to be one
	part.RowGroups = make([]*RowGroup, len(rowGroups))
	for i, at := range rowGroups {
		g := *f.RowGroups[at]
		g.Index, g.file = i, &part
		part.RowGroups[i] = &g
	}
	return &part, part.number()
}
