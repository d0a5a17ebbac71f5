package property

import (
	"bytes"
	"math"
	"slices"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/parequet/pare"
	"github.com/parequet/pare/plan"

	"github.com/parequet/pare/oracle/property/engines"
)

// TestRowsLostBefore keeps what the random predicates have found.
func TestRowsLostBefore(t *testing.T) {
	for _, c := range []struct{ file, where, why string }{
		{"arrow-numbers-v1.parquet", "float16_opt = -62.75", floatNaNs},
		{"arrow-numbers-v2.parquet", "float16_opt = -62.75", floatNaNs},
		{"arrow-numbers-v1.parquet", "float16_opt BETWEEN -63 AND -61.5", floatNaNs},
		{"arrow-numbers-v2.parquet", "float16_opt < -61 AND float16_req > -65", floatNaNs},
	} {
		s := openSubject(t, "../../testdata/fixtures/"+c.file)
		want, err := s.db.Rows(c.where)
		if err != nil {
			t.Fatal(err)
		}
		for _, skip := range []plan.Stages{0, plan.Statistics, plan.PageIndex, plan.AllStages} {
			got, err := engines.PareRows(s.data, c.where, pare.Options{}, pare.Query{Select: []string{}, Skip: skip})
			if a, b := answer(got, err), answer(want, nil); a != b {
				t.Errorf("%s WHERE %s, skipping stages %04b: pare finds %s, DuckDB %s: %s", c.file, c.where, skip, a, b, c.why)
			}
		}
	}
}

const floatNaNs = "arrow-go up to 18.8 forgets what stands before a NaN in the bounds of optional FLOAT16 columns"

// TestFloatDictionariesOfParquetGo: a NaN among the values makes parquet-go's
// bounds of a dictionary-encoded column those of what stands behind it.
func TestFloatDictionariesOfParquetGo(t *testing.T) {
	type row struct {
		D float64 `parquet:",dict"`
		F float32 `parquet:",dict"`
		P float64
	}
	var buf bytes.Buffer
	w := parquet.NewGenericWriter[row](&buf)
	for _, v := range []float64{1, 9, math.NaN(), 4, 5, 6} {
		if _, err := w.Write([]row{{v, float32(v), v}}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	for _, where := range []string{"D = 1", "F = 1", "P = 1", "D < 4", "F BETWEEN 0.5 AND 1.5"} {
		for _, skip := range []plan.Stages{0, plan.PageIndex, plan.Dictionary, plan.AllStages} {
			got, err := engines.PareRows(buf.Bytes(), where, pare.Options{}, pare.Query{Select: []string{}, Skip: skip})
			if err != nil || !slices.Equal(got, []int64{0}) {
				t.Errorf("%s, skipping stages %04b: rows %v, %v; row 0 is right", where, skip, got, err)
			}
		}
	}
}
