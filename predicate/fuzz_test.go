package predicate

import (
	"errors"
	"strings"
	"testing"
)

// checkFault: an error of the parser shows its place, in one line.
func checkFault(t *testing.T, text string, err error) {
	t.Helper()
	var e *Error
	if !errors.As(err, &e) {
		t.Fatalf("%q: %v is not an *Error", text, err)
	}
	if e.Pos < 0 || e.Pos > len(text) || e.Text != text {
		t.Fatalf("%q: the error stands at %d of %q", text, e.Pos, e.Text)
	}
	if strings.Count(e.Excerpt(), "\n") > 1 {
		t.Fatalf("%q: the excerpt is %q", text, e.Excerpt())
	}
}

// checkRoundTrip: the String of a predicate is text that means the same.
func checkRoundTrip(t *testing.T, text string, x Expr) {
	t.Helper()
	s := x.String()
	y, err := Parse(s)
	if err != nil {
		t.Fatalf("%q is rendered as %q, which is refused: %v", text, s, err)
	}
	if again := y.String(); again != s {
		t.Fatalf("%q is rendered as %q, and that as %q", text, s, again)
	}
}

var seeds = []string{
	"", "x = 5", "NOT (a AND b OR c)", "x IN (1, NULL, 'a')", "x NOT BETWEEN 1 AND 2", "s LIKE 'a!%' ESCAPE '!'", "x IS NOT DISTINCT FROM NULL",
	"d >= DATE '2024-03-01'", "t = TIMESTAMP WITH TIME ZONE '2024-03-01 00:00+02'", "x = CAST('5' AS DECIMAL(9,2))::DOUBLE", `"a""b".c = '\xAA\x00'::BLOB`,
	"x = -1.5e-3", "5 < x", "((x)) = ((5))", "b IS NOT TRUE", "x = -- c\n 5 /* d */", "x = - inf", "x = 1_000", "NULL", "x = (5)::INTEGER", `"a.b" = 1`, `a."" = 1`, "\xff = '\xff'",
	"date = date '2024-01-01'", `"a LIKE b" NOT LIKE '%x%'`,
}

func FuzzParse(f *testing.F) {
	for _, s := range seeds {
		f.Add(s)
	}
	schema := schemaOf(typedColumns()...)
	f.Fuzz(func(t *testing.T, text string) {
		x, err := Parse(text)
		if err != nil {
			checkFault(t, text, err)
			return
		}
		checkRoundTrip(t, text, x)
		if b, err := BindText(x, schema, text); err == nil {
			_ = b.String()
		}
	})
}

func FuzzParseSelect(f *testing.F) {
	for _, s := range seeds {
		f.Add("SELECT a, count(*) AS n, min(\"b\".c) FROM 'f.parquet' WHERE " + s + " LIMIT 5;")
	}
	f.Add("SELECT * FROM orders.parquet")
	f.Add("select max(a.b)from\"f\"limit 0")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := ParseSelect(text)
		if err != nil {
			checkFault(t, text, err)
			return
		}
		if len(s.Items) == 0 || s.Limit < -1 || s.Text != text {
			t.Fatalf("%q: parsed as %+v", text, s)
		}
		for _, i := range s.Items {
			if i.Pos < 0 || i.Pos >= len(text) || i.Star && (i.Column != "" || i.Aggregate != "" && i.Aggregate != "count") {
				t.Fatalf("%q: item %+v", text, i)
			}
		}
		if s.Where != nil {
			checkRoundTrip(t, text, s.Where)
		}
	})
}
