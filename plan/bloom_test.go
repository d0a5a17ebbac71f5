package plan_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/cespare/xxhash/v2"
	"pgregory.net/rapid"

	"github.com/parequet/pare/metadata"
	"github.com/parequet/pare/plan"
	"github.com/parequet/pare/predicate"
)

// held answers for whatever lies inside what was asked for, as fetched blocks do.
type held struct {
	data  []byte
	asked []metadata.Extent
}

func (h *held) Get(e metadata.Extent) ([]byte, bool) {
	for _, a := range h.asked {
		if e.Offset >= a.Offset && e.End() <= a.End() {
			return h.data[e.Offset:e.End()], true
		}
	}
	return nil, false
}

// climbOver plans over other bytes and other metadata than the file's.
func (f *file) climbOver(t testing.TB, q *plan.Query, data []byte, change func(groups []*plan.Group)) ([]*plan.Group, *held, error) {
	t.Helper()
	p, err := plan.New(q)
	if err != nil {
		return nil, nil, err
	}
	change(p.Groups())
	have := &held{data: data}
	for round := 0; ; round++ {
		need, err := p.Next(have)
		if err != nil || len(need) == 0 {
			return p.Groups(), have, err
		}
		for _, e := range need {
			if e.Offset < 0 || e.Length <= 0 || e.End() > f.meta.Size {
				t.Fatalf("a plan asks for %v in a file of %d bytes", e, f.meta.Size)
			}
		}
		if have.asked = append(have.asked, need...); round > 4 {
			t.Fatal("the ladder does not end")
		}
	}
}

// bloomHeaderOf writes a header, filled up with a field that no version of the
// format has.
func bloomHeaderOf(numBytes int32, length int) []byte {
	b := binary.AppendVarint([]byte{0x15}, int64(numBytes))
	for range 3 {
		b = append(b, 0x1c, 0x1c, 0, 0)
	}
	if pad := length - len(b) - 1; pad >= 2 {
		b = append(append(b, 0x58), byte(pad-2))
		b = append(b, make([]byte, pad-2)...)
	}
	return append(b, 0)
}

// insert sets the bits of a hash, straight from the format's text.
func insert(bits []byte, h uint64) {
	salts := [8]uint32{0x47b6137b, 0x44974d91, 0x8824ad5b, 0xa2b7289d, 0x705495c7, 0x2df1424b, 0x9efc4947, 0x5c6bfb31}
	block := bits[(h>>32)*uint64(len(bits)/32)>>32*32:]
	for i, salt := range salts {
		bit := uint32(h) * salt >> 27
		block[4*i+int(bit/8)] |= 1 << (bit % 8)
	}
}

func holds(bits []byte, h uint64) bool {
	with := bytes.Clone(bits)
	insert(with, h)
	return bytes.Equal(with, bits)
}

// filterAt is where crafted filters are put, over the pages, which no plan reads.
const filterAt = 1000

// bloomQuery asks for a value by the Bloom filter alone.
func (f *file) bloomQuery(t testing.TB, where string) *plan.Query {
	q := f.query(t, where)
	q.Skip = plan.AllStages &^ plan.Bloom
	q.Model = plan.Model{Latency: 1e-9, Bandwidth: 1e15} // nothing is too dear
	return q
}

// TestBloomHoldsWhatIsIn: a value that was inserted, as it is stored, never
// comes out absent, and one that was not does exactly if its bits are not set.
func TestBloomHoldsWhatIsIn(t *testing.T) {
	type kind struct {
		physical metadata.Type
		logical  metadata.LogicalKind
	}
	hashed := map[kind]bool{}
	for _, name := range []string{"arrow-numbers-v1", "arrow-numbers-v2", "arrow-bytes-v1", "arrow-times-v1", "parquetgo-logical", "parquetgo-times", "parquetgo-rare", "duckdb-snappy"} {
		f := openFile(t, "../testdata/fixtures/"+name+".parquet")
		for _, col := range f.meta.Schema.Columns {
			if !col.Flat() || col.Problem != "" || col.Order == metadata.OrderNone {
				continue
			}
			t.Run(name+"/"+col.Name, func(t *testing.T) {
				rapid.Check(t, func(rt *rapid.T) {
					if f.checkBloom(rt, t, col) {
						hashed[kind{col.Type, col.Logical.Kind}] = true
					}
				})
			})
		}
	}
	for _, want := range []kind{{metadata.Float, 0}, {metadata.Double, 0}, {metadata.Int32, metadata.Integer}, {metadata.Int64, metadata.Integer}, {metadata.Int32, metadata.Date}, {metadata.Int64, metadata.Timestamp}, {metadata.Int64, metadata.Time},
		{metadata.ByteArray, 0}, {metadata.ByteArray, metadata.String}, {metadata.FixedLenByteArray, 0}, {metadata.FixedLenByteArray, metadata.Decimal}, {metadata.FixedLenByteArray, metadata.UUID}, {metadata.Int32, metadata.Decimal}, {metadata.Int64, metadata.Decimal}} {
		if !hashed[want] {
			t.Errorf("no %v of logical type %v was asked by its filter", want.physical, want.logical)
		}
	}
	for got := range hashed {
		if got.physical == metadata.Boolean || got.physical == metadata.Int96 || got.logical == metadata.Float16 || got == (kind{metadata.ByteArray, metadata.Decimal}) {
			t.Errorf("%v of logical type %v is in no filter, or in several ways", got.physical, got.logical)
		}
	}
}

// drawStored draws a value as it is stored.
func drawStored(rt *rapid.T, col *metadata.Column, name string) []byte {
	width := map[metadata.Type]int{metadata.Boolean: 1, metadata.Int32: 4, metadata.Int64: 8, metadata.Float: 4, metadata.Double: 8, metadata.Int96: 12, metadata.FixedLenByteArray: int(col.TypeLength)}[col.Type]
	if col.Type == metadata.ByteArray {
		width = rapid.IntRange(1, 20).Draw(rt, name+" length")
	}
	b := rapid.SliceOfN(rapid.SampledFrom([]byte{0, 1, 2, 0x7f, 0x80, 0xff, 'a', 'z'}), width, width).Draw(rt, name)
	switch l := col.Logical; {
	case l.Kind == metadata.String || l.Kind == metadata.Enum || l.Kind == metadata.JSON:
		for i := range b {
			b[i] = 'a' + b[i]%26
		}
	case col.Type == metadata.Int32 && l.Kind == metadata.Integer:
		return binary.LittleEndian.AppendUint32(nil, uint32(col.Int32(int32(binary.LittleEndian.Uint32(b)))))
	case l.Kind == metadata.Date, l.Kind == metadata.Time, l.Kind == metadata.Timestamp, l.Kind == metadata.Decimal && col.Type != metadata.ByteArray:
		// Within what literals can say: few days, digits and instants.
		for i := range b {
			little := col.Type == metadata.Int32 || col.Type == metadata.Int64
			if little && i > 1 || !little && i < len(b)-1 {
				b[i] = 0
			}
		}
		if col.Type == metadata.Int64 || col.Type == metadata.Int32 {
			b[1] &= 0x1f
		}
	}
	return b
}

// checkBloom inserts one value and asks for it and for another one. It reports
// whether the filter was asked.
func (f *file) checkBloom(rt *rapid.T, t *testing.T, col *metadata.Column) bool {
	in, other := drawStored(rt, col, "in"), drawStored(rt, col, "other")
	bits := make([]byte, 32*rapid.IntRange(1, 40).Draw(rt, "blocks"))
	insert(bits, xxhash.Sum64(in))
	for i := range rapid.IntRange(0, 30).Draw(rt, "more") {
		insert(bits, xxhash.Sum64([]byte{byte(i), 99}))
	}
	header := bloomHeaderOf(int32(len(bits)), rapid.SampledFrom([]int{0, 20, 32}).Draw(rt, "header"))
	data := bytes.Clone(f.data)
	copy(data[filterAt:], append(header, bits...))
	length := rapid.SampledFrom([]int64{0, int64(len(header) + len(bits))}).Draw(rt, "length")
	asked := false
	for i, stored := range [][]byte{in, other} {
		v, ok := col.Value(stored)
		if !ok {
			continue
		}
		text, err := fmt.Sprintf("%q = ", col.Name), error(nil)
		if v.IsNaN() {
			text += "'nan'"
		} else {
			text += formatted(col, v)
		}
		q := f.bloomQuery(t, text)
		groups, _, err := f.climbOver(t, q, data, func(gs []*plan.Group) {
			for _, g := range gs {
				c := chunkOf(t, g, col.Name)
				c.BloomOffset, c.BloomLength = filterAt, length
			}
		})
		if err != nil {
			rt.Fatal(err)
		}
		may := holds(bits, xxhash.Sum64(stored))
		if v.Order == metadata.OrderFloat && v.Float == 0 {
			minus := bytes.Clone(stored)
			minus[len(minus)-1] ^= 0x80
			may = may || holds(bits, xxhash.Sum64(minus))
		}
		if l := col.Logical; col.Type == metadata.Int32 && l.Kind == metadata.Integer && l.Bits < 32 {
			// Other writers may have stored it with other high bits.
			raw := binary.LittleEndian.Uint32(stored)
			for _, r := range []uint32{raw & (1<<l.Bits - 1), raw | ^uint32(0)<<l.Bits} {
				may = may || holds(bits, xxhash.Sum64(binary.LittleEndian.AppendUint32(nil, r)))
			}
		}
		for _, g := range groups {
			step := stepOf(g, "bloom")
			asked = asked || step.Asked
			if pruned := g.PrunedBy == "bloom"; pruned && may || i == 0 && pruned {
				rt.Fatalf("%s: % x is in the filter of %s: %v; row group pruned: %s", text, stored, col.TypeName(), may, step.Reason)
			} else if !pruned && !may && step.Asked && length > 0 {
				rt.Fatalf("%s: % x is not in the filter of %s, yet %q, doubts %v", text, stored, col.TypeName(), step.Reason, g.Doubts)
			}
		}
	}
	return asked
}

func stepOf(g *plan.Group, stage string) (s plan.Step) {
	for _, k := range g.Steps {
		if k.Stage == stage {
			s = k
		}
	}
	return s
}

// TestBloomPlaces: what filters claim of their place and size, and what is
// made of it. The filter holds the value 3 of quantity and not 4.
func TestBloomPlaces(t *testing.T) {
	const bits = 1024
	for name, c := range map[string]struct {
		header   int   // bytes, 0 for as few as possible
		numBytes int32 // in the header
		length   int64 // in the footer; -1 means the right one
		offset   int64
		prunes   bool
		doubted  bool
	}{
		"right":                       {0, bits, -1, filterAt, true, false},
		"no length":                   {0, bits, 0, filterAt, true, false},
		"a header of 32 bytes":        {32, bits, -1, filterAt, true, false},
		"no length, a header of 32":   {32, bits, 0, filterAt, true, false},
		"a header of 40 bytes":        {40, bits, -1, filterAt, true, false},
		"no length, a header of 40":   {40, bits, 0, filterAt, true, false},
		"a length of the bits alone":  {0, bits, bits, filterAt, false, true},
		"a length of blocks too many": {0, bits, bits + 64 + 16, filterAt, false, true},
		"a length of 33":              {0, bits, 33, filterAt, false, true},
		"a length of 1":               {0, bits, 1, filterAt, false, true},
		"a length beyond the file":    {0, bits, 1 << 30, filterAt, false, true},
		"half of the bits":            {0, bits / 2, bits + 16, filterAt, false, true},
		"twice the bits":              {0, bits * 2, bits + 16, filterAt, false, true},
		"bits beyond the file":        {0, 1 << 30, 0, filterAt, false, true},
		"no bits":                     {0, 0, 0, filterAt, false, true},
		"no bits of some length":      {0, 0, bits + 16, filterAt, false, true},
		"minus a block":               {0, -32, 0, filterAt, false, true},
		"a part of a block":           {0, 1000, 0, filterAt, false, true},
		"behind the footer's start":   {0, bits, 0, 1 << 40, false, true},
		"negative":                    {0, bits, 0, -5, false, true},
		"in the magic":                {0, bits, 0, 1, false, true},
		"over the largest offset":     {0, bits, 100, 1<<63 - 50, false, true},
	} {
		t.Run(name, func(t *testing.T) {
			f := openFile(t, orders+"paged.parquet")
			b := make([]byte, bits)
			insert(b, xxhash.Sum64(binary.LittleEndian.AppendUint32(nil, 3)))
			header := bloomHeaderOf(c.numBytes, c.header)
			data := bytes.Clone(f.data)
			copy(data[filterAt:], append(header, b...))
			change := func(gs []*plan.Group) {
				k := chunkOf(t, gs[0], "quantity")
				k.BloomOffset, k.BloomLength = c.offset, c.length
				if c.length < 0 {
					k.BloomLength = int64(len(header) + bits)
				}
			}
			for where, in := range map[string]bool{"quantity = 3": true, "quantity = 4": false, "quantity IN (4, 6, 8, 10)": false, "quantity IN (1, 3, 5)": true} {
				groups, _, err := f.climbOver(t, f.bloomQuery(t, where), data, change)
				if err != nil {
					t.Fatal(err)
				}
				g := groups[0]
				if pruned := g.May.Empty(); pruned != (c.prunes && !in) {
					t.Errorf("%s: pruned %v, steps %+v, doubts %v", where, pruned, g.Steps, g.Doubts)
				}
				if doubted := len(g.Doubts) > 0; doubted != c.doubted {
					t.Errorf("%s: doubts %v", where, g.Doubts)
				}
				q := f.bloomQuery(t, where)
				q.Strict = true
				var fe *metadata.FormatError
				if _, _, err := f.climbOver(t, q, data, change); errors.As(err, &fe) != c.doubted || (err != nil) != c.doubted {
					t.Errorf("%s, strict: %v", where, err)
				}
			}
		})
	}
}

// TestBloomFiltersOfRowGroups are not mixed up.
func TestBloomFiltersOfRowGroups(t *testing.T) {
	f := openFile(t, orders+"sorted.parquet")
	data := bytes.Clone(f.data)
	at := map[int]int64{}
	const bits = 512
	for g := range f.meta.RowGroups {
		b := make([]byte, bits)
		insert(b, xxhash.Sum64(binary.LittleEndian.AppendUint64(nil, math.Float64bits(float64(g)+0.5))))
		at[g] = filterAt + int64(g)*(bits+64)
		copy(data[at[g]:], append(bloomHeaderOf(bits, 0), b...))
	}
	for _, length := range []int64{0, bits + int64(len(bloomHeaderOf(bits, 0)))} {
		for want := range f.meta.RowGroups {
			groups, _, err := f.climbOver(t, f.bloomQuery(t, fmt.Sprintf("amount IN (%d.5, 1000.5, 2000.5)", want)), data, func(gs []*plan.Group) {
				for g, k := range gs {
					c := chunkOf(t, k, "amount")
					c.BloomOffset, c.BloomLength = at[g], length
				}
			})
			if err != nil {
				t.Fatal(err)
			}
			for g, k := range groups {
				if k.May.Empty() == (g == want) {
					t.Errorf("%d.5, length %d: row group %d may hold %v, doubts %v", want, length, g, k.May, k.Doubts)
				}
			}
		}
	}
}

// formatted renders a value as text of the dialect, in its column's type.
func formatted(col *metadata.Column, v metadata.Value) string {
	s := predicate.FormatValue(col, v)
	if v.Order == metadata.OrderFloat && !strings.HasPrefix(s, "'") {
		return "'" + s + "'" // a string takes the column's type
	}
	return s
}
