package dialect

import (
	"testing"

	"github.com/parequet/pare/predicate"
)

// TestTextsAreAccepted: pare's parser and DuckDB's accept and refuse the same
// texts, apart from those in the tables of differences.
func TestTextsAreAccepted(t *testing.T) {
	db := openDuckDB(t)
	check := func(text string, pare, duck bool, why string) {
		t.Helper()
		_, err := predicate.Parse(text)
		_, refusal := syntax(t, db, text)
		if (err == nil) != pare {
			t.Errorf("%q: pare accepts: %v, expected %v (%s): %v", text, err == nil, pare, why, err)
		}
		if (refusal == "") != duck {
			t.Errorf("%q: DuckDB accepts: %v, expected %v (%s): %s", text, refusal == "", duck, why, refusal)
		}
	}
	for _, text := range both {
		check(text, true, true, "both")
	}
	for _, text := range neither {
		check(text, false, false, "neither")
	}
	for why, texts := range onlyDuckDB {
		for _, text := range texts {
			check(text, false, true, why)
		}
	}
	for why, texts := range onlyPare {
		for _, text := range texts {
			check(text, true, false, why)
		}
	}
}

// TestStringIsStable: the text of a parsed predicate parses to the same text.
func TestStringIsStable(t *testing.T) {
	for _, text := range both {
		x, err := predicate.Parse(text)
		if err != nil {
			continue // TestTextsAreAccepted says so
		}
		again, err := predicate.Parse(x.String())
		if err != nil || again.String() != x.String() {
			t.Errorf("%q becomes %q, and that %v, %v", text, x, again, err)
		}
	}
}
