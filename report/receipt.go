// Package report holds the receipt of a scan: what was read, what was skipped
// and why, in numbers that agree with what crossed the source. It renders
// receipts as JSON and as text for people.
package report

import (
	"encoding/json"
	"io"
	"slices"
)

// Version is the version of the receipt's JSON.
const Version = 1

// Receipt accounts for one scan. Counts are exact and the same on every
// machine; only Model.ActualMS is a measurement. A plan's receipt holds the
// same numbers beforehand, as an upper bound where filtering may save more.
type Receipt struct {
	Version   int       `json:"version"`
	Files     Files     `json:"files"`
	RowGroups RowGroups `json:"row_groups"`
	Pages     Pages     `json:"pages"`
	Rows      Rows      `json:"rows"`
	Bytes     Bytes     `json:"bytes"`
	Requests  Requests  `json:"requests"`
	Model     Model     `json:"model"`
	Doubts    []Doubt   `json:"doubts"`
	Columns   []Column  `json:"columns"`
	Steps     []Step    `json:"steps"`
	// Reads lists each request, by round and offset.
	Reads []Read `json:"reads,omitempty"`
}

// Files counts files: Pruned + Read + PastLimit = Total.
type Files struct {
	Total     int `json:"total"`
	Pruned    int `json:"pruned"` // none of their data was read
	Read      int `json:"read"`
	PastLimit int `json:"past_limit,omitempty"` // whose turn did not come
}

// RowGroups counts row groups: Read + Pruned + FromMetadata + PastLimit = Total.
type RowGroups struct {
	Total        int    `json:"total"`
	Read         int    `json:"read"`
	Pruned       Pruned `json:"pruned"`
	FromMetadata int    `json:"from_metadata"` // answered without data
	PastLimit    int    `json:"past_limit"`    // not needed to reach the limit
	Always       int    `json:"always"`        // every row matches, by metadata
}

// Pruned counts row groups by the stage that left no row of them.
type Pruned struct {
	Statistics int `json:"statistics"`
	Bloom      int `json:"bloom"`
	Dictionary int `json:"dictionary"`
	PageIndex  int `json:"page_index"` // or by page headers, where there is no index
}

// Sum is the number of row groups pruned by any stage.
func (p Pruned) Sum() int { return p.Statistics + p.Bloom + p.Dictionary + p.PageIndex }

// Pages counts data pages of the columns that the query reads.
type Pages struct {
	Total  *int64 `json:"total"`  // nil where no offset index tells it
	Read   int64  `json:"read"`   // fetched; where their places are not known, decoded
	Always int64  `json:"always"` // of filter columns, needing no filter
}

// Rows counts rows.
type Rows struct {
	Total    int64 `json:"total"`
	Planned  int64 `json:"planned"` // what survives pruning
	Decoded  int64 `json:"decoded"` // the largest number decoded of any one column
	Returned int64 `json:"returned"`
}

// Bytes counts bytes. All but File and Total add up to Total, which is what
// crossed the source.
type Bytes struct {
	File       int64 `json:"file"`
	Footer     int64 `json:"footer"`
	Index      int64 `json:"index"`
	Bloom      int64 `json:"bloom"`
	Dictionary int64 `json:"dictionary"`
	Data       int64 `json:"data"`
	Gap        int64 `json:"gap"` // fetched and not wanted
	Total      int64 `json:"total"`
}

// Requests counts requests.
type Requests struct {
	Total   int `json:"total"`
	Rounds  int `json:"rounds"` // waits for bytes before more could be asked for
	Retries int `json:"retries"`
}

// Model holds the figures that the plan was made with.
type Model struct {
	LatencyMS   float64 `json:"latency_ms"`
	Bandwidth   float64 `json:"bandwidth_bytes_per_s"`
	PredictedMS float64 `json:"predicted_ms"`
	ActualMS    float64 `json:"actual_ms"`
}

// Doubt is a piece of metadata that was not believed.
type Doubt struct {
	File     string `json:"file,omitempty"`
	RowGroup int    `json:"row_group"`
	Column   string `json:"column"`
	What     string `json:"what"`
	Why      string `json:"why"`
}

// Column accounts for a column.
type Column struct {
	Name       string `json:"name"`
	Role       string `json:"role"` // "filter", "output" or "both"
	PagesTotal *int64 `json:"pages_total"`
	PagesRead  int64  `json:"pages_read"`
	Bytes      int64  `json:"bytes"` // pages, dictionary, indexes and Bloom filter
}

// Step says what one stage did to one row group.
type Step struct {
	File        string `json:"file,omitempty"`
	Stage       string `json:"stage"`
	RowGroup    int    `json:"row_group"`
	Asked       bool   `json:"asked"`
	Reason      string `json:"reason"`
	RowsBefore  int64  `json:"rows_before"`
	RowsAfter   int64  `json:"rows_after"`
	PagesBefore *int64 `json:"pages_before"`
	PagesAfter  *int64 `json:"pages_after"`
	Units       []Unit `json:"units,omitempty"`
}

// Unit is the verdict on a run of pages.
type Unit struct {
	Column    string `json:"column"`
	FirstPage int    `json:"first_page"`
	LastPage  int    `json:"last_page"`
	Decision  string `json:"decision"`
	Why       string `json:"why"`
}

// Read is one request.
type Read struct {
	Round   int    `json:"round"`
	Offset  int64  `json:"offset"`
	Length  int64  `json:"length"`
	Wanted  int64  `json:"wanted"`
	Pieces  int    `json:"pieces"`
	Purpose string `json:"purpose"`
	Retries int    `json:"retries"`
}

// WriteJSON writes the receipt as indented JSON with a final newline.
func (r Receipt) WriteJSON(w io.Writer) error {
	r.Version = Version
	if r.Doubts == nil {
		r.Doubts = []Doubt{}
	}
	if r.Columns == nil {
		r.Columns = []Column{}
	}
	if r.Steps == nil {
		r.Steps = []Step{}
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(r)
}

// OfFile gives the file's name to what has a place in it.
func (r *Receipt) OfFile(name string) {
	for i := range r.Steps {
		r.Steps[i].File = name
	}
	for i := range r.Doubts {
		r.Doubts[i].File = name
	}
}

// Add adds the receipt of another file of the same query.
func (r *Receipt) Add(o Receipt) {
	if r.Files.Total == 0 && r.Requests.Total == 0 {
		*r = o
		r.Columns = slices.Clone(o.Columns) // addColumns changes them
		r.Doubts, r.Steps, r.Reads = slices.Clip(r.Doubts), slices.Clip(r.Steps), slices.Clip(r.Reads)
		return
	}
	r.Files.Total += o.Files.Total
	r.Files.Pruned += o.Files.Pruned
	r.Files.Read += o.Files.Read
	r.Files.PastLimit += o.Files.PastLimit
	g, h := &r.RowGroups, o.RowGroups
	g.Total += h.Total
	g.Read += h.Read
	g.Pruned.Statistics += h.Pruned.Statistics
	g.Pruned.Bloom += h.Pruned.Bloom
	g.Pruned.Dictionary += h.Pruned.Dictionary
	g.Pruned.PageIndex += h.Pruned.PageIndex
	g.FromMetadata += h.FromMetadata
	g.PastLimit += h.PastLimit
	g.Always += h.Always
	r.Pages.Total = addKnown(r.Pages.Total, o.Pages.Total)
	r.Pages.Read += o.Pages.Read
	r.Pages.Always += o.Pages.Always
	r.Rows.Total += o.Rows.Total
	r.Rows.Planned += o.Rows.Planned
	r.Rows.Decoded += o.Rows.Decoded
	r.Rows.Returned += o.Rows.Returned
	b, c := &r.Bytes, o.Bytes
	b.File += c.File
	b.Footer += c.Footer
	b.Index += c.Index
	b.Bloom += c.Bloom
	b.Dictionary += c.Dictionary
	b.Data += c.Data
	b.Gap += c.Gap
	b.Total += c.Total
	r.Requests.Total += o.Requests.Total
	r.Requests.Rounds += o.Requests.Rounds
	r.Requests.Retries += o.Requests.Retries
	if o.Model.Bandwidth > 0 {
		r.Model.LatencyMS, r.Model.Bandwidth = o.Model.LatencyMS, o.Model.Bandwidth
	}
	r.Model.PredictedMS += o.Model.PredictedMS
	r.Model.ActualMS += o.Model.ActualMS
	r.Doubts = append(r.Doubts, o.Doubts...)
	r.Steps = append(r.Steps, o.Steps...)
	r.Reads = append(r.Reads, o.Reads...)
	r.addColumns(o.Columns)
}

func (r *Receipt) addColumns(cols []Column) {
next:
	for _, c := range cols {
		for i := range r.Columns {
			if k := &r.Columns[i]; k.Name == c.Name {
				k.PagesTotal = addKnown(k.PagesTotal, c.PagesTotal)
				k.PagesRead += c.PagesRead
				k.Bytes += c.Bytes
				continue next
			}
		}
		r.Columns = append(r.Columns, c)
	}
}

// addKnown adds two counts; the sum is known only if both are.
func addKnown(a, b *int64) *int64 {
	if a == nil || b == nil {
		return nil
	}
	n := *a + *b
	return &n
}
