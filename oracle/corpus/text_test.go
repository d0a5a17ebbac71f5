package corpus

import (
	"errors"
	"math"
	"math/big"
	"strings"
	"testing"
)

func TestTexts(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{unitText(0, 1e6), "0"},
		{unitText(1_500_000, 1e6), "1.5"},
		{unitText(1_500, 1e3), "1.5"},
		{unitText(-1, 1e9), "-0.000000001"},
		{unitText(-1_500, 1e3), "-1.5"},
		{unitText(math.MinInt64, 1e3), "-9223372036854775.808"},
		{unitText(math.MinInt64, 1), "-9223372036854775808"},
		{decimalText(big.NewInt(0), 2), "0.00"},
		{decimalText(big.NewInt(-5), 3), "-0.005"},
		{decimalText(big.NewInt(12345), 2), "123.45"},
		{decimalText(big.NewInt(7), 0), "7"},
		{floatText(math.Copysign(0, -1)), "-0"},
		{floatText(math.Float64frombits(0xfff8000000000123)), "NaN"},
		{floatText(float64(float32(0.1))), "0.10000000149011612"},
		{bytesText(nil), "'"},
		{storedInterval("'\x01\x00\x00\x00\xff\xff\xff\xff\x02\x00\x00\x00"), intervalText(1, math.MaxUint32, 2e6)},
		{shown(""), "NULL"},
		{shown("'"), `""`},
		{shown("'a\x00"), "0x6100"},
		{shown("12"), "12"},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}

// Long strings are told apart although only their start is kept.
func TestLongTexts(t *testing.T) {
	long := strings.Repeat("x", 1000)
	a, b := bytesText([]byte(long+"a")), bytesText([]byte(long+"b"))
	if a == b || len(a) > 120 || a != bytesText([]byte(long+"a")) {
		t.Errorf("%q and %q", a, b)
	}
}

func TestDiffer(t *testing.T) {
	column := func(k Kind, values ...string) Column { return Column{Name: "c", Kind: k, Values: values} }
	for _, c := range []struct {
		name   string
		oracle Oracle
		a, b   Column
		want   string
	}{
		{"equal", Duck, column(Int, "1", ""), column(Int, "1", ""), ""},
		{"rows", Duck, column(Int, "1"), column(Int), "pare reads 1 rows, duckdb 0"},
		{"value", ArrowGo, column(Int, "1", "2", "3"), column(Int, "1", "", "4"), "2 of 3 rows, row 1 is 2, arrow-go says NULL"},
		{"kind", ArrowGo, column(Int, "", "1"), column(Date, "", "1"), "pare reads int, arrow-go date (row 1: 1 and 1)"},
		{"all null", ArrowGo, column(Null, ""), column(Int, ""), ""},
		{"converted timestamp", Duck, column(TimestampTZ, "1"), column(Timestamp, "1"), ""},
		{"local timestamp", ArrowGo, column(TimestampTZ, "1"), column(Timestamp, "1"), "pare reads timestamptz, arrow-go timestamp (row 0: 1 and 1)"},
		{"wide decimal", Duck, column(Decimal, "0.50000000000000000000000000000000000001"), column(Float, "0.5"), ""},
		{"another wide decimal", Duck, column(Decimal, "0.50"), column(Float, "0.51"), "1 of 1 rows, row 0 is 0.5, duckdb says 0.51"},
	} {
		if got := Differ(c.oracle, c.a, c.b); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

func TestJudge(t *testing.T) {
	bad := errors.New("bad\nSELECT")
	read := func(values ...string) *Reading {
		return &Reading{Rows: 1, Columns: []Column{{At: 1, Name: "c", Kind: Int, Values: values}}}
	}
	refuse := &Reading{Rows: 1, Columns: []Column{{At: 1, Name: "c", Err: bad}}}
	for _, c := range []struct {
		name              string
		pare, arrow, duck *Reading
		findings          int
		status            string
	}{
		{"equal", read("1"), read("1"), read("1"), 0, "equal|equal|read"},
		{"one oracle refuses", read("1"), read("1"), &Reading{Err: bad}, 0, "equal|refused: bad|read"},
		{"all oracles refuse", read("1"), refuse, &Reading{Err: bad}, 1, "refused: bad|refused: bad|read"},
		{"the oracle asked refuses", read("1"), refuse, nil, 1, "refused: bad|not asked|read"},
		{"pare refuses", refuse, read("1"), read("1"), 2, "reads c|reads c|refused: bad"},
		{"pare refuses the file", &Reading{Err: bad}, read("1"), refuse, 1, "reads 1 columns|refused: bad|refused: bad"},
		{"all refuse", refuse, refuse, refuse, 0, "refused: bad|refused: bad|refused: bad"},
		{"differs", read("1"), read("2"), read("1"), 1, "differs: c: 1 of 1 rows, row 0 is 1, arrow-go says 2|equal|read"},
		{"panic", &Reading{Err: ErrPanic}, refuse, refuse, 1, "refused: bad|refused: bad|refused: panic"},
	} {
		v := Judge("f", c.pare, c.arrow, c.duck)
		if got := v.Arrow + "|" + v.Duck + "|" + v.Pare; got != c.status || len(v.Findings) != c.findings {
			t.Errorf("%s: got %q and %v, want %q and %d findings", c.name, got, v.Findings, c.status, c.findings)
		}
	}
}
