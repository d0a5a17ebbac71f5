package pare_test

import (
	"slices"
	"testing"

	"github.com/parequet/pare"
	"github.com/parequet/pare/metadata"
	"github.com/parequet/pare/rowrange"
)

// thousands are n pages of the numbers from 0 on, a thousand in each.
func thousands(n int32) (pages []kindPage) {
	for p := range n {
		values := make([]int32, 1000)
		for i := range values {
			values[i] = p*1000 + int32(i)
		}
		pages = append(pages, each(i32, values...))
	}
	return pages
}

// TestPageHeadersAreSteppedOver: without an offset index, and where only bytes
// count, the headers locate the pages and say what they hold, and only those
// that may hold a match are read.
func TestPageHeadersAreSteppedOver(t *testing.T) {
	pages := thousands(20)
	where := parse(t, "c BETWEEN 7300 AND 7302")
	for _, test := range []struct {
		name      string
		inHeaders bool
		q         pare.Query
		pages     int64
	}{
		{"bounds", true, pare.Query{Where: where}, 1},
		{"rows", false, pare.Query{Rows: rowrange.Of(7300, 7303)}, 1},
		{"bounds and rows", true, pare.Query{Where: where, Rows: rowrange.Of(7300, 7303)}, 1},
		{"no bounds", false, pare.Query{Where: where}, 20},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := numbers("c", pages...)
			c.noIndex, c.inHeaders = true, test.inHeaders
			data := file(c).bytes()
			rows, r, err := rowNumbers(t, data, exact, test.q)
			if err != nil || !slices.Equal(rows, []int64{7300, 7301, 7302}) {
				t.Fatalf("rows %v, %v", rows, err)
			}
			last := r.Steps[len(r.Steps)-1]
			if last.Stage != "page_headers" || !last.Asked || int64(r.Pages.Read) != test.pages {
				t.Errorf("steps %+v\n%d pages, bytes %+v", r.Steps, r.Pages.Read, r.Bytes)
			}
			// Left to its own choices the file is read whole: it is small.
			if _, r, err = rowNumbers(t, data, pare.Options{}, test.q); err != nil || r.Requests.Total > 2 {
				t.Errorf("%d requests, %v", r.Requests.Total, err)
			}
		})
	}
}

// TestPageHeadersOfUntestedColumns: the headers of a column that is neither
// tested nor returned are left alone.
func TestPageHeadersOfUntestedColumns(t *testing.T) {
	pages := thousands(20)
	b, c := numbers("b", pages...), numbers("c", pages...)
	b.noIndex, c.noIndex = true, true
	q := pare.Query{Select: []string{"b"}, Where: parse(t, "c >= 0"), Rows: rowrange.Of(7300, 7303)}
	rows, r, err := rowNumbers(t, file(b, c).bytes(), exact, q)
	if err != nil || !slices.Equal(rows, []int64{7300, 7301, 7302}) {
		t.Fatalf("rows %v, %v", rows, err)
	}
	if r.Pages.Read != 1 || r.Bytes.Index == 0 || r.Bytes.Index > 20*512 {
		t.Errorf("%d pages, bytes %+v", r.Pages.Read, r.Bytes)
	}
}

// TestPageHeadersPastTheirCount: a chunk with more pages than its footer counts
// is not stepped over page by page: each step is a request that was priced by
// that count.
func TestPageHeadersPastTheirCount(t *testing.T) {
	c := numbers("c", thousands(200)...)
	c.noIndex, c.inHeaders = true, true
	c.encodingStats = func(_ int, s []metadata.PageEncodingStats) []metadata.PageEncodingStats {
		return append(s[:0:0], metadata.PageEncodingStats{PageType: metadata.DataPage, Encoding: metadata.Plain, Count: 2})
	}
	rows, r, err := rowNumbers(t, file(c).bytes(), exact, pare.Query{Where: parse(t, "c BETWEEN 7300 AND 7302")})
	if err != nil || !slices.Equal(rows, []int64{7300, 7301, 7302}) {
		t.Fatalf("rows %v, %v", rows, err)
	}
	if r.Requests.Total > 10 || r.Pages.Read != 200 {
		t.Errorf("%d requests, %d pages", r.Requests.Total, r.Pages.Read)
	}
}
