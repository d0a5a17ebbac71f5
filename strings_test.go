package pare_test

import (
	"slices"
	"testing"

	"github.com/apache/arrow-go/v18/arrow/array"

	"github.com/parequet/pare"
	"github.com/parequet/pare/metadata"
	"github.com/parequet/pare/source"
)

// TestDictionaryStrings: strings as Arrow dictionaries are the strings, whether
// the chunk's own dictionary is handed on, has values that no row has, is missing
// in some pages, or holds values of a fixed length.
func TestDictionaryStrings(t *testing.T) {
	text := func(words ...string) (p kindPage) {
		for _, w := range words {
			if w == "-" {
				p.values = append(p.values, nil)
			} else {
				p.values = append(p.values, []byte(w))
			}
		}
		return p
	}
	variable := kindColumn{name: "c", typ: metadata.ByteArray, element: asString, optional: true, unused: [][]byte{[]byte("unused")},
		groups: [][]kindPage{{text("ab", "-", "cd", "ab").coded(), text("x", "cd").coded()}, {text("-", "-").coded(), text("plain", "-", "ab")}}}
	fixed := kindColumn{name: "c", typ: metadata.FixedLenByteArray, length: 2, element: asString,
		groups: [][]kindPage{{text("ab", "cd", "ab").coded()}, {text("ef", "ab")}}}
	for name, c := range map[string]struct {
		col  kindColumn
		want []string
	}{
		"variable": {variable, []string{"ab", "-", "cd", "ab", "x", "cd", "-", "-", "plain", "-", "ab"}},
		"fixed":    {fixed, []string{"ab", "cd", "ab", "ef", "ab"}},
	} {
		t.Run(name, func(t *testing.T) {
			f, err := pare.Open(t.Context(), source.Memory(file(c.col).bytes()), pare.Options{})
			if err != nil {
				t.Fatal(err)
			}
			for _, batch := range []int{0, 1, 3} {
				s, err := f.Scan(t.Context(), pare.Query{DictionaryStrings: true, BatchRows: batch})
				if err != nil {
					t.Fatal(err)
				}
				var got []string
				for b, err := range s.Batches() {
					if err != nil {
						t.Fatal(err)
					}
					d := b.Column(0).(*array.Dictionary)
					words := d.Dictionary().(*array.String)
					for i := range d.Len() {
						if d.IsNull(i) {
							got = append(got, "-")
						} else {
							got = append(got, words.Value(d.GetValueIndex(i)))
						}
					}
					b.Release()
				}
				if !slices.Equal(got, c.want) {
					t.Errorf("batches of %d: %q, want %q", batch, got, c.want)
				}
			}
		})
	}
}
