package predicate

import (
	"errors"
	"strings"
	"testing"
	"time"
)

// TestParseErrors: what is outside the dialect is refused with the position,
// given here by a caret below the text, and what was expected.
func TestParseErrors(t *testing.T) {
	const hint = "; pare reads; give its Arrow output to an engine for the rest"
	const arithmetic = "; arithmetic is not part of the dialect: compare a column with a literal"
	for _, c := range []struct{ text, caret, want string }{
		{"x = 'abc", "    ^", "a string is not closed (line 1, column 5)"},
		{`"x = 5`, "^", "a quoted name is not closed (line 1, column 1)"},
		{"x = /* 5", "    ^", "a comment is not closed (line 1, column 5)"},
		{"x = ", "    ^", "expected a column or a literal, found the end (line 1, column 5)"},
		{"= 5", "^", "expected a column or a literal, found = (line 1, column 1)"},
		{"x = 5 AND", "         ^", "expected a column or a literal, found the end (line 1, column 10)"},
		{"x = 5 OR OR y = 1", "         ^", "expected a column or a literal, found OR (line 1, column 10)"},
		{"x = 5 y = 1", "      ^", "expected AND, OR or the end, found y (line 1, column 7)"},
		{"x = 5)", "     ^", "expected AND, OR or the end, found ) (line 1, column 6)"},
		{"(x = 5", "      ^", "expected AND, OR or ), found the end (line 1, column 7)"},
		{"()", " ^", "expected a column or a literal, found ) (line 1, column 2)"},
		{"x = 5 GROUP BY x", "      ^", "expected AND, OR or the end, found GROUP (line 1, column 7)" + hint},
		{"x = 5 ORDER BY x", "      ^", "expected AND, OR or the end, found ORDER (line 1, column 7)" + hint},
		{"lower(x) = 'a'", "^", "the function lower is not part of the dialect (line 1, column 1); compare the column itself, or filter in Go with a function"},
		{"x = now()", "    ^", "the function now is not part of the dialect (line 1, column 5); compare the column itself, or filter in Go with a function"},
		{"x + 1 = 5", "  ^", "+ is not part of the dialect (line 1, column 3)" + arithmetic},
		{"x = 5 + 1", "      ^", "expected AND, OR or the end, found + (line 1, column 7)" + arithmetic},
		{"x || 'a' = 'b'", "  ^", "|| is not part of the dialect (line 1, column 3)" + arithmetic},
		{"x = y", "    ^", "expected a literal, found column y: two columns cannot be compared (line 1, column 5)"},
		{"1 = 2", "^", "expected a column on one side of = (line 1, column 1)"},
		{"(x = 5) = TRUE", "        ^", "expected a column and a literal around = (line 1, column 9)"},
		{"x = 5 = TRUE", "      ^", "expected AND, OR or the end, found = (line 1, column 7)"},
		{"x IN (SELECT 1)", "      ^", "subqueries are not part of the dialect (line 1, column 7); run the inner query first and list its values"},
		{"x IN 5", "     ^", "expected ( after IN, found 5 (line 1, column 6)"},
		{"x IN ()", "      ^", "expected a column or a literal, found ) (line 1, column 7)"},
		{"x IN (1, y)", "         ^", "expected a literal (line 1, column 10)"},
		{"x IN (1 2)", "        ^", "expected , or ) in the list, found 2 (line 1, column 9)"},
		{"x BETWEEN 1 OR 2", "            ^", "expected AND between the ends of BETWEEN, found OR (line 1, column 13)"},
		{"x NOT = 5", "      ^", "expected IN, LIKE or BETWEEN after NOT, found = (line 1, column 7)"},
		{"x IS 5", "     ^", "expected NULL, TRUE, FALSE or DISTINCT FROM, found 5 (line 1, column 6)"},
		{"5 IS NULL", "^", "expected a column before IS (line 1, column 1)"},
		{"x LIKE 5", "       ^", "expected a pattern in quotes after LIKE, found 5 (line 1, column 8)"},
		{"x LIKE 'a' ESCAPE 'ab'", "                  ^", "expected one character in quotes after ESCAPE, found 'ab' (line 1, column 19)"},
		{"x LIKE 'a!' ESCAPE '!'", "       ^", "the pattern ends with its escape character (line 1, column 8)"},
		{"x ILIKE 'a'", "  ^", "ILIKE is not part of the dialect (line 1, column 3); LIKE is the only pattern test"},
		{"x = 1e999999999", "    ^", "the number 1e999999999 is out of range (line 1, column 5)"},
		{"x = -1e999999999", "    ^", "the number 1e999999999 is out of range (line 1, column 5)"},
		{"x = 12abc", "      ^", "a number runs into a name (line 1, column 7)"},
		{"x = DATE '2024-02-30'", "         ^", "'2024-02-30' is not a DATE (line 1, column 10)"},
		{"x = TIMESTAMP '2024-01-01 25:00'", "              ^", "'2024-01-01 25:00' is not a TIMESTAMP (line 1, column 15)"},
		{"x = 'a'::DATE", "    ^", "'a' cannot be cast to DATE (line 1, column 5)"},
		{"x = 300::TINYINT", "    ^", "300 cannot be cast to TINYINT (line 1, column 5)"},
		{"x = 5::MONEY", "       ^", "unknown type MONEY (line 1, column 8)"},
		{"x = CAST(5, INT)", "          ^", "expected AS, found , (line 1, column 11)"},
		{"x::INT = 5", " ^", "a column cannot be cast (line 1, column 2); cast the literal instead"},
		{"5", " ^", "expected a comparison after 5, found the end (line 1, column 2)"},
		{"x = CASE WHEN y THEN 1 END", "    ^", "CASE is not part of the dialect (line 1, column 5)"},
		{"EXISTS (SELECT 1)", "^", "EXISTS is not part of the dialect (line 1, column 1)"},
		{"x = ?", "    ^", "unexpected character '?' (line 1, column 5)"},
		{"x =\n\t5 +", "\t  ^", "expected AND, OR or the end, found + (line 2, column 4)" + arithmetic},
		{"größe = 'Ж' +", "            ^", "expected AND, OR or the end, found + (line 1, column 13)" + arithmetic},
		{"a. = 5", "   ^", "expected a field name after the dot, found = (line 1, column 4)"},
		{"a.", "  ^", "expected a field name after the dot, found the end (line 1, column 3)"},
		{"", "", "expected a column or a literal, found the end"},
		{"  -- nothing", "            ^", "expected a column or a literal, found the end (line 1, column 13)"},
	} {
		t.Run(c.text, func(t *testing.T) {
			_, err := Parse(c.text)
			checkError(t, c.text, err, c.caret, c.want)
		})
	}
}

func checkError(t *testing.T, text string, err error, caret, want string) {
	t.Helper()
	var e *Error
	if !errors.As(err, &e) {
		t.Fatalf("%q: error %v, want an *Error", text, err)
	}
	if e.Error() != want {
		t.Errorf("%q:\n  got %s\n want %s", text, e, want)
	}
	excerpt := e.Excerpt()
	if caret == "" {
		if excerpt != "" {
			t.Errorf("%q: excerpt %q, want none", text, excerpt)
		}
		return
	}
	lines := strings.Split(excerpt, "\n")
	if got := lines[len(lines)-1]; len(lines) != 2 || got != strings.ReplaceAll(caret, "\t", " ") {
		t.Errorf("%q: the excerpt is\n%s\nwith the caret at %d, want it at %d", text, excerpt, len(got), len(caret))
	}
}

func TestSelectErrors(t *testing.T) {
	const hint = "; pare reads; give its Arrow output to an engine for the rest"
	for _, c := range []struct{ text, caret, want string }{
		{"x = 5", "^", "expected SELECT, found x (line 1, column 1)"},
		{"SELECT", "      ^", "expected a column, * or an aggregate, found the end (line 1, column 7)"},
		{"SELECT FROM 'f'", "       ^", "expected a column, * or an aggregate, found FROM (line 1, column 8)"},
		{"SELECT a b FROM 'f'", "         ^", "expected , or FROM, found b (line 1, column 10)"},
		{"SELECT a FROM", "             ^", "expected a file after FROM, in quotes, found the end (line 1, column 14)"},
		{"SELECT a FROM 'f' GROUP BY a", "                  ^", "expected WHERE, LIMIT or the end, found GROUP (line 1, column 19)" + hint},
		{"SELECT a FROM 'f' JOIN 'g'", "                  ^", "expected WHERE, LIMIT or the end, found JOIN (line 1, column 19)" + hint},
		{"SELECT DISTINCT a FROM 'f'", "       ^", "expected a column, * or an aggregate, found DISTINCT (line 1, column 8)" + hint},
		{"SELECT sum(a) FROM 'f'", "       ^", "the function sum is not part of the dialect (line 1, column 8)" + hint},
		{"SELECT count(DISTINCT a) FROM 'f'", "             ^", "count(DISTINCT …) is not part of the dialect (line 1, column 14); pare ndv estimates distinct counts"},
		{"SELECT a FROM 'f' LIMIT x", "                        ^", "expected a number of rows after LIMIT, found x (line 1, column 25)"},
		{"SELECT a FROM 'f' LIMIT -1", "                        ^", "expected a number of rows after LIMIT, found - (line 1, column 25); arithmetic is not part of the dialect: compare a column with a literal"},
		{"SELECT a FROM 'f' LIMIT 1.5", "                        ^", "expected a number of rows after LIMIT, found 1.5 (line 1, column 25)"},
		{"SELECT a FROM 'f' WHERE", "                       ^", "expected a column or a literal, found the end (line 1, column 24)"},
		{"SELECT a FROM 'f'; SELECT", "                   ^", "expected WHERE, LIMIT or the end, found SELECT (line 1, column 20)"},
		{"SELECT a AS", "           ^", "expected a name after AS, found the end (line 1, column 12)"},
		{"SELECT a FROM WHERE x = 1", "              ^", "expected a file after FROM, in quotes, found WHERE (line 1, column 15)"},
	} {
		t.Run(c.text, func(t *testing.T) {
			_, err := ParseSelect(c.text)
			checkError(t, c.text, err, c.caret, c.want)
		})
	}
}

// TestErrorsAreOneLine: whatever is quoted in a message, it stays one line.
func TestErrorsAreOneLine(t *testing.T) {
	schema := schemaOf(typedColumns()...)
	for _, text := range []string{"i64 = 'a\nb'", "i64 5 'a\nb'", "\"a\nb\" = 1", "i64 = 'a\nb'::INTEGER", "i64 = DATE 'a\nb'", "i64 = - \n 'x'", "s LIKE '\n' ESCAPE '\n\n'"} {
		x, err := Parse(text)
		if err == nil {
			_, err = BindText(x, schema, text)
		}
		if err == nil || strings.ContainsAny(err.Error(), "\n\r") {
			t.Errorf("%q: the message has line breaks, or there is none: %q", text, err)
		}
	}
}

// TestDeepAndLongTexts: neither depth nor length may hang or kill a process.
func TestDeepAndLongTexts(t *testing.T) {
	deep := func(open, middle, shut string, n int) string {
		return strings.Repeat(open, n) + middle + strings.Repeat(shut, n)
	}
	for _, c := range []struct {
		name, text string
		fails      bool
	}{
		{"parentheses", deep("(", "x = 1", ")", 10_000), true},
		{"unclosed", strings.Repeat("(", 10_000), true},
		{"literal in parentheses", "x = " + deep("(", "1", ")", 10_000), true},
		{"not", deep("NOT ", "x = 1", "", 10_000), true},
		{"casts", "x = " + deep("CAST(", "1", " AS INT)", 10_000), true},
		{"long list", "x IN (1" + strings.Repeat(", 2", 20_000) + ")", false},
		{"long or", "x = 1" + strings.Repeat(" OR x = 2", 20_000), false},
		{"long number", "x = 1" + strings.Repeat("0", 20_000), false},
		{"right-deep or", deep("(x = 2 OR ", "x = 1", ")", 100), false},
		{"left-deep not", deep("(NOT ", "x = 1", " AND y = 2)", 100), false},
	} {
		t.Run(c.name, func(t *testing.T) {
			done := make(chan error, 1)
			go func() {
				_, err := Parse(c.text)
				done <- err
			}()
			select {
			case err := <-done:
				if (err != nil) != c.fails {
					t.Errorf("error %.200v, want one: %v", err, c.fails)
				}
			case <-time.After(5 * time.Second):
				t.Error("not parsed after five seconds")
			}
		})
	}
}

// TestNestingIsParsedInLinearTime: doubling the depth at most about doubles
// the work, for each way of nesting.
func TestNestingIsParsedInLinearTime(t *testing.T) {
	for _, c := range [][3]string{
		{"(", "x = 1", ")"}, {"(", "x = 1", " OR x = 2)"}, {"(x = 2 OR ", "x = 1", ")"}, {"(NOT ", "x = 1", " AND x = 2)"}, {"NOT (", "x = 1", " AND x = 2)"},
	} {
		work := func(depth int) float64 {
			text := strings.Repeat(c[0], depth) + c[1] + strings.Repeat(c[2], depth)
			return testing.AllocsPerRun(1, func() {
				if _, err := Parse(text); err != nil {
					t.Fatal(err)
				}
			})
		}
		if a, b := work(7), work(14); b > 4*a {
			t.Errorf("%s…%s: %.0f allocations at depth 7, %.0f at depth 14", c[0], c[2], a, b)
		}
	}
}

func TestExcerptOfALongLine(t *testing.T) {
	text := "x IN (" + strings.Repeat("1, ", 500) + "oops, " + strings.Repeat("2, ", 500) + "3)"
	_, err := Parse(text)
	var e *Error
	if !errors.As(err, &e) {
		t.Fatal(err)
	}
	lines := strings.Split(e.Excerpt(), "\n")
	row, caret := []rune(lines[0]), len(lines[1])-1
	if len(lines) != 2 || len(row) > 100 || caret >= len(row) || !strings.HasPrefix(string(row[caret:]), "oops") {
		t.Errorf("the caret does not stand under the fault:\n%s", e.Excerpt())
	}
}

func TestInvalidUTF8(t *testing.T) {
	for _, text := range []string{"\xff", "\xff = 5", "x = '\xff'", "\"\xff\" = 5", "x = 5\xff", "x \xc3 = 5", "x = \xed\xa0\x80", "\x00", "x = 5 \x00"} {
		x, err := Parse(text)
		if err == nil {
			_, err = BindText(x, schemaOf(typedColumns()...), text)
		}
		var e *Error
		if !errors.As(err, &e) {
			t.Errorf("%q: error %v, want an *Error", text, err)
			continue
		}
		_ = e.Excerpt()
	}
}
