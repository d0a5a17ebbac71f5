package ndv

import "strings"

// Assumption is what a bound rests on. The first ones are the format's own
// statements, and a bound that needs only them is proven if they are honest;
// the others are trusted.
type Assumption uint16

const (
	Counts     Assumption = 1 << iota // the counts of rows and nulls
	Bounds                            // minima and maxima
	Sizes                             // sizes of chunks and dictionaries
	Entries                           // the header or the values of a dictionary
	Expansion                         // the codec adds at most one percent
	Used                              // every entry of a dictionary occurs, and once
	Written                           // a distinct count in the statistics
	WriterRule                        // when this writer gives up a dictionary

	trusted = Expansion | Used | Written
)

// Proven reports whether nothing is trusted beyond the format's statements.
func (a Assumption) Proven() bool { return a&trusted == 0 }

var assumptionNames = []string{"counts of rows and nulls", "bounds", "sizes", "dictionaries", "a codec that expands by at most 1 %",
	"dictionaries without unused or repeated entries", "a written distinct count"}

// String lists the assumptions.
func (a Assumption) String() string {
	var out []string
	for i, name := range assumptionNames {
		if a&(1<<i) != 0 {
			out = append(out, name)
		}
	}
	return strings.Join(out, ", ")
}

// Tier is a rung of the ladder of evidence.
type Tier uint8

const (
	T0 Tier = iota // the footer
	T1             // the page index
	T2             // headers of dictionary pages
	T3             // dictionary pages
	T4             // Bloom filters
)

func (t Tier) String() string { return "T" + string('0'+rune(t)) }
