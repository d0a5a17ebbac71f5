package pare

import (
	"fmt"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/parequet/pare/internal/column"
)

// adapt gives a file's batch the columns of the result.
func (s *DatasetScan) adapt(p *datasetPart, batch arrow.RecordBatch) (arrow.RecordBatch, error) {
	n := int(batch.NumRows())
	cols := make([]arrow.Array, 0, len(s.columns)+1)
	defer func() {
		for _, c := range cols {
			c.Release()
		}
	}()
	for i, w := range s.columns {
		var a arrow.Array
		var err error
		switch {
		case w.file:
			a = repeatText(s.data.members[p.member].Name, n)
		case w.key != "":
			a, err = s.partitionArray(p, w, n)
		case p.from[i] < 0:
			a = array.MakeArrayOfNull(memory.DefaultAllocator, w.field.Type, n)
		default:
			a, err = widen(batch.Column(p.from[i]), w.field.Type)
		}
		if err != nil {
			return nil, fmt.Errorf("column %s: %w", w.name, err)
		}
		cols = append(cols, a)
	}
	if s.query.RowNumbers != "" {
		numbers := batch.Column(int(batch.NumCols()) - 1)
		numbers.Retain()
		cols = append(cols, numbers)
	}
	return array.NewRecordBatch(s.schema, cols, int64(n)), nil
}

// partitionArray repeats the value of a partition column.
func (s *DatasetScan) partitionArray(p *datasetPart, w wanted, n int) (arrow.Array, error) {
	k, _ := s.data.known(p.member, w.key)
	v := column.NewVector(k.Column)
	for range n {
		if err := v.Push(k.Value); err != nil {
			return nil, err
		}
	}
	return column.ToArrow(v, w.field.Type)
}

func repeatText(text string, n int) arrow.Array {
	b := array.NewStringBuilder(memory.DefaultAllocator)
	defer b.Release()
	b.Reserve(n)
	b.ReserveData(n * len(text))
	for range n {
		b.Append(text)
	}
	return b.NewArray()
}
