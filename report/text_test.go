package report

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

func TestCount(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 7: "7", -7: "-7", 999: "999", -999: "-999", 1000: "1,000", -1000: "-1,000", 123456: "123,456",
		-123456: "-123,456", 1234567: "1,234,567", math.MaxInt64: "9,223,372,036,854,775,807", math.MinInt64: "-9,223,372,036,854,775,808"} {
		if got := Count(n); got != want {
			t.Errorf("%d is %s, want %s", n, got, want)
		}
	}
	for n, want := range map[int64]string{0: "0 pages", 1: "1 page", 2: "2 pages", 1000: "1,000 pages"} {
		if got := Plural(n, "page"); got != want {
			t.Errorf("%d is %s, want %s", n, got, want)
		}
	}
}

// long is a receipt with thousands of everything.
func long() Receipt {
	r := Receipt{Version: Version, Files: Files{Total: 1, Read: 1}, RowGroups: RowGroups{Total: 3000, Read: 3000}}
	for i := range 3000 {
		s := Step{Stage: "page_index", RowGroup: i, Asked: true, Reason: fmt.Sprintf("reason %d", i), RowsBefore: 10, RowsAfter: 5}
		for k := range 2000 / (1 + i) {
			s.Units = append(s.Units, Unit{"c", k, k, "maybe", fmt.Sprintf("why %d", k)})
		}
		r.Steps = append(r.Steps, s)
		r.Reads = append(r.Reads, Read{Round: 1, Offset: int64(i), Length: 1, Pieces: 2, Purpose: "data page"})
		r.Doubts = append(r.Doubts, Doubt{RowGroup: i, Column: "c", What: "column index", Why: "broken"})
	}
	return r
}

// TestLongListsAreCapped: the text says how much it leaves out, and stays
// short.
func TestLongListsAreCapped(t *testing.T) {
	r := long()
	var b strings.Builder
	if err := Explain(&b, Heading{File: "f", Select: []string{"c"}}, r); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	lines := strings.Count(text, "\n")
	if max := maxGroups*(3+maxUnits+1) + 3*maxUnits + 30; lines > max {
		t.Errorf("%d lines, at most %d", lines, max)
	}
	for _, want := range []string{
		fmt.Sprintf("… %d more runs of pages", 2000-maxUnits), fmt.Sprintf("\n… %d more\n", 3000-maxGroups), fmt.Sprintf("\n  … %d more\n", 3000-maxUnits),
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in the text", want)
		}
	}
	if n := strings.Count(text, fmt.Sprintf("\n  … %d more\n", 3000-maxUnits)); n != 2 {
		t.Errorf("%d lists of requests and doubts are capped", n)
	}
	b.Reset()
	if err := Text(&b, r); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(b.String(), "\n"); n > maxUnits+20 {
		t.Errorf("%d lines of receipt", n)
	}
}

// TestWhatIsTheSameIsSaidOnce: neighbouring row groups with the same story
// make one paragraph, others do not.
func TestWhatIsTheSameIsSaidOnce(t *testing.T) {
	var r Receipt
	for i := range 5000 {
		reason := "status is 'a' … 'b'"
		if i == 2500 {
			reason = "another"
		}
		r.Steps = append(r.Steps, Step{Stage: "statistics", RowGroup: i, Asked: true, Reason: reason, RowsBefore: 7, RowsAfter: 0})
	}
	var b strings.Builder
	if err := Explain(&b, Heading{}, r); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"row groups 0–2499   17,500 rows, skipped", "row group 2500   7 rows, skipped", "row groups 2501–4999   17,493 rows, skipped"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
}

// TestTextHasNoTrailingSpaces and no empty names.
func TestTextHasNoTrailingSpaces(t *testing.T) {
	var b strings.Builder
	r := filled(3)
	for _, write := range []func() error{
		func() error {
			return Explain(&b, Heading{File: "f", Writer: "w", Where: "a = 1", Tested: "a = 1 ", LeftOut: []string{"n"}}, r)
		},
		func() error { return Text(&b, r) },
		func() error { return Compare(&b, r, filled(4)) },
	} {
		if err := write(); err != nil {
			t.Fatal(err)
		}
	}
	for i, line := range strings.Split(b.String(), "\n") {
		if strings.TrimRight(line, " ") != line || strings.Contains(line, "%!") {
			t.Errorf("line %d: %q", i, line)
		}
	}
}

// TestCompareNamesWhatWasSaved, and only that.
func TestCompareNamesWhatWasSaved(t *testing.T) {
	planned, actual := Receipt{}, Receipt{}
	planned.Bytes.Total, actual.Bytes.Total = 5000, 1000
	planned.Rows.Decoded, actual.Rows.Decoded = 10, 10
	var b strings.Builder
	if err := Compare(&b, planned, actual); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(b.String(), "saved 4,000") || strings.Count(b.String(), "saved") != 1 {
		t.Error(b.String())
	}
}
