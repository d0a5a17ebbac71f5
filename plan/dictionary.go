package plan

import (
	"fmt"
	"math"
	"slices"

	"github.com/parequet/pare/internal/page"
	"github.com/parequet/pare/metadata"
	"github.com/parequet/pare/predicate"
)

// dictionary tests every value of a chunk's dictionary, where all its data
// pages are dictionary-encoded. It works for every predicate: what passes no
// value of the dictionary passes no value of the chunk.
type dictionary struct{}

func (dictionary) Name() string { return "dictionary" }

func (dictionary) Needs(q *Query, g *Group) (need []metadata.Extent, why string) {
	if q.Skip&Dictionary != 0 {
		return nil, "switched off"
	}
	chunks, why := g.dictionaryChunks(q)
	for _, c := range chunks {
		e, _ := c.dictionaryPage()
		need = append(need, e)
	}
	return need, why
}

// dictionaryChunks lists the chunks whose dictionaries could settle a leaf, or
// says why there are none. A leaf that a Bloom filter is asked about is left
// to it.
func (g *Group) dictionaryChunks(q *Query) (out []*Chunk, why string) {
	seen := map[*Chunk]bool{}
	asked := map[predicate.Leaf]bool{}
	if g.bloomAsked {
		probes, _ := g.probes(q)
		for _, p := range probes {
			asked[p.leaf] = true
		}
	}
	g.undecided(q.Where.Root, func(l predicate.Leaf) {
		c := g.chunk(l.Column())
		if _, group := l.(*predicate.GroupLeaf); group {
			why = "it has no values to look up"
			return
		}
		if asked[l] {
			why = "a Bloom filter is asked"
			return
		}
		if seen[c] {
			return
		}
		seen[c] = true
		reason := c.noDictionary(q.File)
		if reason == "" && (c.foregone(l) || g.foregone(l)) {
			reason = "some of its dictionary's values surely pass, and some do not"
		}
		if reason != "" {
			why = "column " + c.Column.Name + ": " + reason
			return
		}
		out = append(out, c)
	})
	if len(out) > 0 {
		why = ""
	}
	return out, why
}

// noDictionary says why a chunk's dictionary proves nothing or is not found.
func (c *Chunk) noDictionary(f *metadata.File) string {
	if why := f.NotAllDictionary(c.Chunk); why != "" {
		return why
	}
	if _, ok := c.dictionaryPage(); !ok {
		return "the place of its dictionary is not known"
	}
	return ""
}

// dictionaryPage is where the footer says that the dictionary is.
func (c *Chunk) dictionaryPage() (metadata.Extent, bool) {
	e := c.Pages
	e.Piece.Kind = metadata.PieceDictionary
	e.Length = c.DataPageOffset - c.Pages.Offset
	ok := c.DictionaryOffset > 0 && c.DictionaryOffset == c.Pages.Offset && e.Length > 0 && e.Length < c.Pages.Length
	return e, ok
}

// foregone reports whether a dictionary can hardly settle a leaf: its values
// spread over the zone's bounds, it is next to certain that some are in the
// leaf's set and some are not.
func (c *Chunk) foregone(l predicate.Leaf) bool {
	set, ok := l.(*predicate.SetLeaf)
	if !ok {
		return false
	}
	if is := set.Set.Intervals; len(is) == 1 && !is[0].HasLo && !is[0].HasHi || len(is) == 0 {
		return true // it asks for NULLs only
	}
	share, ok := set.Set.Share(c.Zone)
	e, found := c.dictionaryPage()
	width := c.Column.Width()
	if !ok || !found || width <= 0 {
		return false
	}
	values := float64(e.Length) / float64(width) // more, if it is compressed
	return math.Pow(1-share, values)+math.Pow(share, values) < 0.02
}

// foregone reports whether pages are known all of whose values pass a leaf and
// others none of whose values do: no dictionary of both can settle it then.
func (g *Group) foregone(l predicate.Leaf) bool {
	v := g.verdicts[l]
	return slices.Contains(v, predicate.Always) && slices.Contains(v, predicate.Never)
}

func (s dictionary) Narrow(q *Query, g *Group, have metadata.Bytes) []metadata.Extent {
	before, st := g.May, Step{Stage: s.Name(), Asked: true}
	chunks, _ := g.dictionaryChunks(q)
	for _, c := range chunks {
		if c.uncounted(q, have) {
			continue
		}
		if why := c.readDictionary(q, have); why != "" {
			g.doubt(c, "dictionary page", why)
		}
	}
	g.undecided(q.Where.Root, func(l predicate.Leaf) {
		_, group := l.(*predicate.GroupLeaf)
		if c := g.chunk(l.Column()); c.Dictionary != nil && !group {
			d, why := decideByDictionary(l, c)
			g.decide(l, d, why)
		}
	})
	st.Reason = g.settle(q.Where.Root)
	g.step(st, before)
	return nil
}

// uncounted reports whether an offset index, fetched in the same round, lists
// more or fewer pages than encoding_stats counts: one of the two is wrong, and
// pages that were not counted may not use the dictionary.
func (c *Chunk) uncounted(q *Query, have metadata.Bytes) bool {
	n, counted := q.File.DataPages(c.Chunk)
	b, ok := have.Get(c.OffsetIndex)
	if !ok || !counted || !q.File.HasOffsetIndex(c.Chunk) {
		return false
	}
	x, err := metadata.ParseOffsetIndex(b)
	return err == nil && int64(len(x.Pages)) != n
}

// readDictionary decodes a chunk's dictionary page. It returns why it cannot
// be used.
func (c *Chunk) readDictionary(q *Query, have metadata.Bytes) string {
	e, _ := c.dictionaryPage()
	b, ok := have.Get(e)
	if !ok {
		return "it was not fetched"
	}
	h, err := metadata.ParsePageHeader(b, false)
	switch {
	case err != nil:
		return err.Error()
	case h.Type != metadata.DictionaryPage:
		return fmt.Sprintf("there is a %v", h.Type)
	case int64(h.Length)+int64(h.CompressedSize) != e.Length:
		return fmt.Sprintf("the page takes %d bytes, the footer leaves %d for it", h.Length+int(h.CompressedSize), e.Length)
	}
	dec := page.Decoder{Column: c.Column, Codec: c.Codec, MaxBytes: q.MaxPage}
	defer dec.Close()
	src, err := dec.Dictionary(h, b)
	if err == nil {
		c.Dictionary, err = page.NewDictionary(c.Column, int(h.NumValues), src)
	}
	if err == nil && (c.Dictionary.Left > 0 || c.Dictionary.Width == 0) {
		err = fmt.Errorf("%d bytes are left after its %d values", c.Dictionary.Left, c.Dictionary.N)
	}
	if err != nil {
		c.Dictionary = nil
		return err.Error()
	}
	c.dataAt = e.End()
	return ""
}

// decideByDictionary tests each value once. Entries that no row uses are
// legal, so that some pass proves nothing; that all or none pass does.
func decideByDictionary(l predicate.Leaf, c *Chunk) (predicate.Decision, string) {
	d := c.Dictionary
	pass := 0
	for i := range d.N {
		if l.Test(d.Value(i)) {
			pass++
		}
	}
	why := fmt.Sprintf("%s: %d of %d dictionary values pass", c.Column.Name, pass, d.N)
	nulls := c.Column.MaxDef > 0 && !(c.Zone.Rows > 0 && c.Zone.NoNulls())
	switch {
	case pass == 0 && !(nulls && l.TestNull()):
		return predicate.Never, why
	case pass == d.N && d.N > 0 && (!nulls || l.TestNull()):
		return predicate.Always, why
	case pass == d.N && nulls:
		why += ", NULLs possible"
	}
	return predicate.Maybe, why
}
