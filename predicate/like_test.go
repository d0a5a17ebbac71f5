package predicate

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/parequet/pare/metadata"
)

func drawLetters(t *rapid.T, label string, alphabet []string, most int) string {
	return strings.Join(rapid.SliceOfN(rapid.SampledFrom(alphabet), 0, most).Draw(t, label), "")
}

// TestLikeAgreesWithItsDefinition compares the leaf that LIKE becomes, a set or
// a test, with naive matching, character by character.
func TestLikeAgreesWithItsDefinition(t *testing.T) {
	schema := schemaOf(column("s", metadata.ByteArray, 0, kind(metadata.String)))
	texts := []string{"a", "b", "é", "🙂", "%", "_", "!"}
	rapid.Check(t, func(t *rapid.T) {
		pattern := drawLetters(t, "pattern", append([]string{"%", "_", "%", "_", "!%", "!_", "!!"}, texts...), 7)
		escape := rapid.SampledFrom([]string{"", "!", "%", "_", "é"}).Draw(t, "escape")
		text := "s LIKE " + quoteString(pattern)
		var e rune
		if escape != "" {
			text += " ESCAPE " + quoteString(escape)
			e = []rune(escape)[0]
		}
		dangling := false
		for r := []rune(pattern); len(r) > 0 && e != 0; r = r[1:] {
			if r[0] == e {
				if dangling = len(r) == 1; !dangling {
					r = r[1:]
				}
			}
		}
		if _, err := Parse(text); dangling != (err != nil) {
			t.Fatalf("%s: error %v, want one: %v", text, err, dangling)
		}
		if dangling {
			return
		}
		is, isNot := mustBind(t, text, schema), mustBind(t, "NOT "+text, schema)
		for range 20 {
			s := drawLetters(t, "s", texts, 6)
			v := bytesValue(s)
			value := func(*metadata.Column) *metadata.Value { return &v }
			want := naiveLike([]rune(s), []rune(pattern), e)
			if got := passes(is.Root, value); got != want {
				t.Fatalf("%q: %s is %v, want %v", s, text, got, want)
			}
			if got := passes(isNot.Root, value); got == want {
				t.Fatalf("%q: NOT %s is %v", s, text, got)
			}
			// A page that holds just this value is not lost.
			if d := Decide(is.Root, func(*metadata.Column) metadata.Zone { return exactZone(v, v) }); want && d == Never || !want && d == Always {
				t.Fatalf("%q alone: %s is decided %v", s, text, d)
			}
		}
	})
}

// TestLikeOnBrokenText: values need not be UTF-8; a byte that is no character
// counts as one.
func TestLikeOnBrokenText(t *testing.T) {
	schema := schemaOf(column("bin", metadata.ByteArray, 0, metadata.Logical{}))
	for _, c := range []struct {
		pattern, value string
		want           bool
	}{
		{"_", "\xff", true}, {"__", "\xff\xfe", true}, {"_", "\xc3\xa9", true}, {"__", "\xc3\xa9", false}, {"%a", "\xff\xffa", true},
		{"a%", "a\xff\xff", true}, {"a%", "b", false}, {"%", "", true}, {"_%", "", false}, {"%b%", "\xe4\xbd\xa0b", true}, {"a%a", "a", false},
	} {
		v := bytesValue(c.value)
		b := mustBind(t, "bin LIKE "+quoteString(c.pattern), schema)
		if got := passes(b.Root, func(*metadata.Column) *metadata.Value { return &v }); got != c.want {
			t.Errorf("%q LIKE %q is %v, want %v", c.value, c.pattern, got, c.want)
		}
	}
}

// TestLikePrefixPrunes: the literal start of a pattern rules pages out.
func TestLikePrefixPrunes(t *testing.T) {
	schema := schemaOf(column("s", metadata.ByteArray, 0, kind(metadata.String)))
	for _, c := range []struct {
		text, lo, hi string
		want         Decision
	}{
		{"s LIKE 'b%'", "c", "d", Never}, {"s LIKE 'b%'", "a", "az", Never}, {"s LIKE 'b%'", "b", "bz", Always}, {"s LIKE 'b%'", "a", "c", Maybe},
		{"s LIKE 'b%z'", "c", "d", Never}, {"s LIKE 'b%z'", "b", "bz", Maybe}, {"s LIKE 'b_'", "a", "az", Never}, {"s NOT LIKE 'b%z'", "c", "d", Maybe},
		{"s NOT LIKE 'b%'", "c", "d", Always}, {"s NOT LIKE 'b%'", "b", "bz", Never}, {"s LIKE '%z'", "c", "d", Maybe},
	} {
		got := Decide(mustBind(t, c.text, schema).Root, func(*metadata.Column) metadata.Zone { return exactZone(bytesValue(c.lo), bytesValue(c.hi)) })
		if got != c.want {
			t.Errorf("%s between %s and %s: %v, want %v", c.text, c.lo, c.hi, got, c.want)
		}
	}
}

// TestLikeIsNotExponential: many % over a text that almost matches.
func TestLikeIsNotExponential(t *testing.T) {
	p := parsePattern(strings.Repeat("%a", 50)+"%b", "")
	if p.match([]byte(strings.Repeat("a", 5_000))) {
		t.Error("matched a text without b")
	}
}
