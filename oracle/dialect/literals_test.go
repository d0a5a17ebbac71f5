package dialect

import (
	"fmt"
	"testing"

	"github.com/parequet/pare"
	"github.com/parequet/pare/predicate"

	"github.com/parequet/pare/oracle/property/engines"
)

// reading is what the two engines make of a literal.
type reading struct {
	pare, duck error
	same       bool // both read it, as the same value
}

// read lets DuckDB write a literal's value into a file, in which pare must
// then find it by the same literal.
func read(t testing.TB, db engines.DuckDB, literal string) reading {
	t.Helper()
	var r reading
	where := "c IS NOT DISTINCT FROM " + literal
	_, r.pare = predicate.Parse(where)
	var text string
	r.duck = db.QueryRow("SELECT coalesce(CAST(" + literal + " AS VARCHAR), 'NULL')").Scan(&text)
	if r.pare != nil || r.duck != nil {
		return r
	}
	n, err := engines.PareCount(export(t, db, "SELECT "+literal+" AS c"), where, pare.Options{}, pare.Query{})
	if err != nil {
		r.pare = fmt.Errorf("DuckDB reads %s: %w", text, err)
	}
	r.same = n == 1
	return r
}

// check fails unless both engines read a literal as the same value, or both
// refuse it.
func check(t *testing.T, db engines.DuckDB, literal string) {
	t.Helper()
	r := read(t, db, literal)
	if (r.pare == nil) != (r.duck == nil) {
		t.Errorf("%s\npare:   %v\nDuckDB: %v", literal, r.pare, r.duck)
	} else if r.pare == nil && !r.same {
		t.Errorf("%s: pare does not find the value that DuckDB reads", literal)
	}
}

// TestTextsOfLiterals: the text of a typed literal is the same value in both.
func TestTextsOfLiterals(t *testing.T) {
	db := openDuckDB(t)
	for typ, texts := range sameTexts {
		for _, text := range texts {
			check(t, db, "CAST("+engines.QuoteText(text)+" AS "+typ+")")
		}
	}
}

// TestOtherTextsOfLiterals pins the deliberate differences.
func TestOtherTextsOfLiterals(t *testing.T) {
	db := openDuckDB(t)
	for _, c := range otherTexts {
		r := read(t, db, "CAST("+engines.QuoteText(c.text)+" AS "+c.typ+")")
		ok := map[answer]bool{
			onlyDuckDBReads: r.pare != nil && r.duck == nil,
			onlyPareReads:   r.pare == nil && r.duck != nil,
			otherValue:      r.pare == nil && r.duck == nil && !r.same,
		}
		if !ok[c.how] {
			t.Errorf("%s %q (%s)\npare:   %v\nDuckDB: %v\nsame value: %v", c.typ, c.text, c.why, r.pare, r.duck, r.same)
		}
	}
}

// TestCasts: casts of literals that are not strings give the same value, or
// none, in both.
func TestCasts(t *testing.T) {
	db := openDuckDB(t)
	for _, literal := range sameCasts {
		check(t, db, literal)
	}
}

// TestOtherCasts pins the deliberate differences.
func TestOtherCasts(t *testing.T) {
	db := openDuckDB(t)
	for why, literals := range otherCasts {
		for _, literal := range literals {
			if r := read(t, db, literal); r.same || r.pare != nil && r.duck != nil {
				t.Errorf("%s (%s)\npare:   %v\nDuckDB: %v\nsame value: %v", literal, why, r.pare, r.duck, r.same)
			}
		}
	}
}
