package ndv

import "math"

// Batch is what a batch of rows takes in memory as a dictionary and indices.
type Batch struct {
	Rows            int64   // of the batch
	Distinct        float64 // values that it is expected to hold
	DictionaryBytes float64
	IndexBytes      float64
}

// BatchOf predicts a batch of so many rows of a column, as rows from
// anywhere among the column's. length is the mean bytes of a value; see
// [Column.MeanLength].
func (a Answer) BatchOf(rows int64, length float64) Batch {
	rows = min(rows, a.Rows)
	values := float64(rows)
	if a.Rows > 0 {
		values *= float64(a.Values) / float64(a.Rows)
	}
	// Drawn without replacement from values of which each occurs as often: of
	// N/d copies none is among the rows with probability (1 − b/N)^(N/d).
	d := 0.0
	if all, n := float64(a.Estimate), float64(a.Values); all > 0 && n > 0 {
		d = all * -math.Expm1(n/all*math.Log1p(-min(values/n, 1)))
	}
	b := Batch{Rows: rows, Distinct: d, DictionaryBytes: d * length}
	if d > 0 {
		b.IndexBytes = float64(rows) * indexBits(math.Ceil(d)) / 8
	}
	return b
}

// MeanLength is about how many bytes a value of the column has, without the
// length of a byte array.
func (col Column) MeanLength() float64 {
	if col.Width >= 0 {
		return float64(col.Width)
	}
	text, n := 0.0, 0.0
	for i := range col.Chunks {
		c := &col.Chunks[i]
		if _, most := c.values(); c.Text >= 0 && most > 0 {
			text, n = text+float64(c.Text), n+float64(most)
		}
	}
	if n > 0 {
		return text / n
	}
	col.prepare()
	return col.meanText
}
