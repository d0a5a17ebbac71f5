package encoding

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"
)

// Benchmarks of one page of 64 Ki values: "full" reads all of them in batches
// of 1024, "sparse" reads 100 and skips 900 in turn, "alternate" reads and skips
// one. values/s counts values
// passed, read or not; bytes are the decoded bytes of the whole page.

const (
	benchValues = 1 << 16
	benchBatch  = 1024
)

var benchRand = rand.New(rand.NewPCG(7, 7))

func report(b *testing.B) {
	b.ReportMetric(float64(b.N)*benchValues/b.Elapsed().Seconds(), "values/s")
}

func benchFixed(b *testing.B, width int, open func() (Fixed, error)) {
	buf := make([]byte, benchBatch*width)
	run := func(b *testing.B, read, skip int) {
		b.SetBytes(benchValues * int64(width))
		b.ReportAllocs()
		for b.Loop() {
			d, err := open()
			if err != nil {
				b.Fatal(err)
			}
			for left := benchValues; left > 0; {
				k := min(left, read)
				if err := d.Read(buf[:k*width]); err != nil {
					b.Fatal(err)
				}
				left -= k
				k = min(left, skip)
				if err := d.Skip(k); err != nil {
					b.Fatal(err)
				}
				left -= k
			}
		}
		report(b)
	}
	b.Run("full", func(b *testing.B) { run(b, benchBatch, 0) })
	b.Run("sparse", func(b *testing.B) { run(b, 100, 900) })
	b.Run("alternate", func(b *testing.B) { run(b, 1, 1) })
}

func benchBinary(b *testing.B, values [][]byte, open func() (Binary, error)) {
	total := 0
	for _, v := range values {
		total += len(v)
	}
	var dst ByteArrays
	run := func(b *testing.B, read, skip int) {
		b.SetBytes(int64(total))
		b.ReportAllocs()
		for b.Loop() {
			d, err := open()
			if err != nil {
				b.Fatal(err)
			}
			for left := benchValues; left > 0; {
				dst.Reset()
				k := min(left, read)
				if err := d.Append(&dst, k); err != nil {
					b.Fatal(err)
				}
				left -= k
				k = min(left, skip)
				if err := d.Skip(k); err != nil {
					b.Fatal(err)
				}
				left -= k
			}
		}
		report(b)
	}
	b.Run("full", func(b *testing.B) { run(b, benchBatch, 0) })
	b.Run("sparse", func(b *testing.B) { run(b, 100, 900) })
	b.Run("alternate", func(b *testing.B) { run(b, 1, 1) })
}

// benchHybrid decodes into uint32 without a detour.
func benchHybrid(b *testing.B, src []byte) {
	buf := make([]uint32, benchBatch)
	run := func(b *testing.B, read, skip int) {
		b.SetBytes(benchValues * 4)
		b.ReportAllocs()
		for b.Loop() {
			h, err := NewIndices(src)
			if err != nil {
				b.Fatal(err)
			}
			for left := benchValues; left > 0; {
				k := min(left, read)
				if err := h.Read(buf[:k]); err != nil {
					b.Fatal(err)
				}
				left -= k
				k = min(left, skip)
				if err := h.Skip(k); err != nil {
					b.Fatal(err)
				}
				left -= k
			}
		}
		report(b)
	}
	b.Run("full", func(b *testing.B) { run(b, benchBatch, 0) })
	b.Run("sparse", func(b *testing.B) { run(b, 100, 900) })
	b.Run("alternate", func(b *testing.B) { run(b, 1, 1) })
}

func BenchmarkIndicesPacked(b *testing.B) {
	values := make([]uint64, benchValues)
	for i := range values {
		values[i] = benchRand.Uint64N(1 << 10)
	}
	src := binary.AppendUvarint([]byte{10}, benchValues/8<<1|1)
	benchHybrid(b, append(src, packLSB(values, 10)...))
}

func BenchmarkIndicesRuns(b *testing.B) {
	src := []byte{10}
	for i := range benchValues / 64 {
		src = binary.AppendUvarint(src, 64<<1)
		src = binary.LittleEndian.AppendUint16(src, uint16(i)&1023)
	}
	benchHybrid(b, src)
}

func benchLevels() []bool {
	levels := make([]bool, benchValues)
	for i := range levels {
		levels[i] = benchRand.IntN(10) > 0
	}
	return levels
}

func benchPresence(b *testing.B, open func() Levels) {
	bitmap := make([]byte, benchBatch/8)
	run := func(b *testing.B, read, skip int) {
		b.SetBytes(benchValues / 8)
		b.ReportAllocs()
		for b.Loop() {
			p := open()
			for left := benchValues; left > 0; {
				clear(bitmap)
				k := min(left, read)
				if _, err := p.Present(bitmap, 0, k); err != nil {
					b.Fatal(err)
				}
				left -= k
				k = min(left, skip)
				if _, err := p.Skip(k); err != nil {
					b.Fatal(err)
				}
				left -= k
			}
		}
		report(b)
	}
	b.Run("full", func(b *testing.B) { run(b, benchBatch, 0) })
	b.Run("sparse", func(b *testing.B) { run(b, 100, 900) })
	b.Run("alternate", func(b *testing.B) { run(b, 1, 1) })
}

func BenchmarkPresence(b *testing.B) {
	wide := make([]uint32, benchValues)
	for i, l := range benchLevels() {
		if l {
			wide[i] = 1
		}
	}
	src := encodeHybrid(wide, 1, false, randPick(1))
	benchPresence(b, func() Levels { return NewLevels(src, 1) })
}

func BenchmarkLegacyPresence(b *testing.B) {
	src := encodeBitPackedMSB(benchLevels())
	benchPresence(b, func() Levels { p, _, _ := NewLegacyLevels(src, 1, benchValues); return p })
}

func BenchmarkRLEBooleans(b *testing.B) {
	values := make([]byte, benchValues)
	for i := range values {
		values[i] = byte(benchRand.IntN(20) / 19)
	}
	src := encodeRLEBooleans(values, randPick(1))
	benchFixed(b, 1, func() (Fixed, error) { return NewRLEBooleans(src) })
}

func BenchmarkPlainBooleans(b *testing.B) {
	src := make([]byte, benchValues/8)
	benchFixed(b, 1, func() (Fixed, error) { return NewPlainBooleans(src), nil })
}

func BenchmarkPlainFixed(b *testing.B) {
	src := make([]byte, benchValues*8)
	benchFixed(b, 8, func() (Fixed, error) { return NewPlainFixed(src, 8), nil })
}

func BenchmarkByteStreamSplit(b *testing.B) {
	src := make([]byte, benchValues*8)
	benchFixed(b, 8, func() (Fixed, error) { return NewByteStreamSplit(src, 8) })
}

func BenchmarkDelta(b *testing.B) {
	values := make([]int64, benchValues)
	for i := range values {
		values[i] = int64(i)*1000 + benchRand.Int64N(700)
	}
	src := encodeDelta(values, usualShape)
	benchFixed(b, 8, func() (Fixed, error) { return NewDelta(src, 8) })
}

func benchStrings() [][]byte {
	values := make([][]byte, benchValues)
	for i := range values {
		values[i] = []byte("https://example.org/item/0123456789")[:20+benchRand.IntN(15)]
	}
	return values
}

func BenchmarkPlainBinary(b *testing.B) {
	values := benchStrings()
	src := encodePlainBinary(values)
	benchBinary(b, values, func() (Binary, error) { return NewPlainBinary(src), nil })
}

func BenchmarkDeltaLength(b *testing.B) {
	values := benchStrings()
	src := encodeDeltaLength(values, usualShape)
	benchBinary(b, values, func() (Binary, error) { return NewDeltaLength(src) })
}

func BenchmarkDeltaBytes(b *testing.B) {
	values := benchStrings()
	src := encodeDeltaBytes(values, usualShape, randPick(1))
	benchBinary(b, values, func() (Binary, error) { return NewDeltaBytes(src, 0) })
}
