package encoding

import (
	"bytes"
	"testing"

	"pgregory.net/rapid"
)

// The law of every decoder: whatever the sequence of reads and skips, what is
// read equals the same slice of the values.

// fixedLaw checks it for a fixed-width decoder of want. If ends, a value
// beyond the last is an error.
func fixedLaw(t *rapid.T, d Fixed, want []byte, width int, ends bool) {
	n := len(want) / width
	for at := 0; at < n; {
		k := stepSize(t, n-at)
		if rapid.Bool().Draw(t, "skip") {
			if err := d.Skip(k); err != nil {
				t.Fatalf("skip %d values at %d of %d: %v", k, at, n, err)
			}
		} else {
			got := bytes.Repeat([]byte{0xa5}, k*width)
			if err := d.Read(got); err != nil {
				t.Fatalf("read %d values at %d of %d: %v", k, at, n, err)
			}
			if !bytes.Equal(got, want[at*width:(at+k)*width]) {
				t.Fatalf("read %d values at %d of %d:\n got %x\nwant %x", k, at, n, got, want[at*width:(at+k)*width])
			}
		}
		at += k
	}
	checkEnd(t, ends, func() error { return d.Read(make([]byte, width)) }, func() error { return d.Skip(1) })
}

// binaryLaw is fixedLaw for byte arrays.
func binaryLaw(t *rapid.T, d Binary, want [][]byte) {
	n := len(want)
	var got ByteArrays
	got.Reset()
	var due [][]byte
	for at := 0; at < n; {
		k := stepSize(t, n-at)
		if rapid.Bool().Draw(t, "skip") {
			if err := d.Skip(k); err != nil {
				t.Fatalf("skip %d values at %d of %d: %v", k, at, n, err)
			}
		} else {
			if err := d.Append(&got, k); err != nil {
				t.Fatalf("append %d values at %d of %d: %v", k, at, n, err)
			}
			due = append(due, want[at:at+k]...)
		}
		at += k
	}
	checkArrays(t, &got, due)
	checkEnd(t, true, func() error { return d.Append(&got, 1) }, func() error { return d.Skip(1) })
}

func checkEnd(t *rapid.T, ends bool, read, skip func() error) {
	if !ends {
		return
	}
	beyond := read
	if rapid.Bool().Draw(t, "skip beyond the end") {
		beyond = skip
	}
	if beyond() == nil {
		t.Fatalf("a value beyond the last is no error")
	}
}

func checkArrays(t rapid.TB, got *ByteArrays, want [][]byte) {
	t.Helper()
	if got.Len() != len(want) {
		t.Fatalf("%d values, want %d", got.Len(), len(want))
	}
	for i, w := range want {
		if !bytes.Equal(got.Value(i), w) {
			t.Fatalf("value %d is %q, want %q", i, got.Value(i), w)
		}
	}
	if len(got.Offsets) == 0 || got.Offsets[0] != 0 || int(got.Offsets[got.Len()]) != len(got.Data) {
		t.Fatalf("offsets %v do not span %d bytes", got.Offsets, len(got.Data))
	}
}

// stepSize prefers small steps, and steps to the end now and then.
func stepSize(t *rapid.T, left int) int {
	switch rapid.IntRange(0, 5).Draw(t, "step kind") {
	case 0:
		return left
	case 1:
		return 0
	case 2:
		return 1
	}
	return rapid.IntRange(1, min(left, 300)).Draw(t, "step")
}

func drawCount(t *rapid.T) int {
	if rapid.IntRange(0, 3).Draw(t, "long") == 0 {
		return rapid.IntRange(0, 1500).Draw(t, "count")
	}
	return rapid.IntRange(0, 70).Draw(t, "count")
}

// runs draws n values that repeat often, from at most kinds different ones.
func runs[T any](t *rapid.T, n int, value *rapid.Generator[T]) []T {
	out := make([]T, 0, n)
	for len(out) < n {
		v := value.Draw(t, "value")
		k := rapid.SampledFrom([]int{1, 1, 1, 2, 7, 8, 9, 40}).Draw(t, "repeat")
		for range min(k, n-len(out)) {
			out = append(out, v)
		}
	}
	return out
}

func drawBytes(t *rapid.T) [][]byte {
	n := drawCount(t)
	out := make([][]byte, 0, n)
	for len(out) < n {
		v := []byte(rapid.StringMatching(`(|a|ab|abc|prefix/of/some/length/)[a-c]{0,5}`).Draw(t, "value"))
		for range min(n-len(out), rapid.SampledFrom([]int{1, 1, 2, 30}).Draw(t, "repeat")) {
			out = append(out, v)
		}
	}
	return out
}

func TestByteArraysResetKeepsNothing(t *testing.T) {
	var b ByteArrays
	b.Reset()
	if b.Len() != 0 {
		t.Fatalf("%d values after Reset", b.Len())
	}
	if err := b.Push([]byte("x")); err != nil {
		t.Fatal(err)
	}
	b.Reset()
	if b.Len() != 0 || len(b.Data) != 0 {
		t.Fatalf("%d values, %d bytes after Reset", b.Len(), len(b.Data))
	}
	var zero ByteArrays
	if zero.Len() != 0 {
		t.Fatalf("the zero ByteArrays has %d values", zero.Len())
	}
}
