// Package ndvbench measures estimates of distinct values against the truth: it
// writes columns of many kinds with several writers and layouts, and asks every
// method. The kinds of the tuning suite are those that constants were chosen
// on; those of the held-out suite are only measured.
package ndvbench

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
)

// Kind is a kind of column. Gen returns the values row by row, nil for NULL:
// an int64, int32, float64, float32, bool, string or, for binary of fixed width,
// a []byte.
type Kind struct {
	Name string
	Type arrow.DataType
	Gen  func(r *rand.Rand, n int) func(i int) any
}

var (
	i64   = arrow.PrimitiveTypes.Int64
	i32   = arrow.PrimitiveTypes.Int32
	f64   = arrow.PrimitiveTypes.Float64
	f32   = arrow.PrimitiveTypes.Float32
	text  = arrow.BinaryTypes.String
	date  = arrow.FixedWidthTypes.Date32
	ts    = &arrow.TimestampType{Unit: arrow.Microsecond, TimeZone: "UTC"}
	yesNo = arrow.FixedWidthTypes.Boolean
	uuid  = &arrow.FixedSizeBinaryType{ByteWidth: 16}
)

// each makes a generator without state beyond r.
func each(f func(r *rand.Rand, i int) any) func(*rand.Rand, int) func(int) any {
	return func(r *rand.Rand, _ int) func(int) any { return func(i int) any { return f(r, i) } }
}

func uniform64(d int64) func(*rand.Rand, int) func(int) any {
	return each(func(r *rand.Rand, _ int) any { return scatter(r.Int64N(d)) })
}

// scatter spreads small numbers over the whole range, keeping them apart.
func scatter(i int64) int64 { return int64(uint64(i)*0x9e3779b97f4a7c15) >> 8 }

func zipf(s float64, d uint64, f func(v uint64) any) func(*rand.Rand, int) func(int) any {
	return func(r *rand.Rand, _ int) func(int) any {
		z := rand.NewZipf(r, s, 1, d-1)
		return func(int) any { return f(z.Uint64()) }
	}
}

// holes makes a share of the values NULL.
func holes(share float64, gen func(*rand.Rand, int) func(int) any) func(*rand.Rand, int) func(int) any {
	return func(r *rand.Rand, n int) func(int) any {
		g := gen(r, n)
		return func(i int) any {
			v := g(i)
			if r.Float64() < share {
				return nil
			}
			return v
		}
	}
}

// runs repeats a value so many times on average.
func runs(mean float64, next func(r *rand.Rand, k int) any) func(*rand.Rand, int) func(int) any {
	return func(r *rand.Rand, _ int) func(int) any {
		k, v := -1, any(nil)
		return func(i int) any {
			if i == 0 || r.Float64() < 1/mean {
				k++
				v = next(r, k)
			}
			return v
		}
	}
}

func hexOf(r *rand.Rand, bytes int) string {
	var b strings.Builder
	for range bytes {
		fmt.Fprintf(&b, "%02x", r.IntN(256))
	}
	return b.String()
}

func uuidOf(r *rand.Rand) string {
	h := hexOf(r, 16)
	return h[:8] + "-" + h[8:12] + "-4" + h[13:16] + "-a" + h[17:20] + "-" + h[20:]
}

const day = int64(86400e6) // in microseconds

var words = strings.Fields(`please leave at door ring bell call before delivery fragile gift wrap no contact signature required
	back gate neighbour office reception floor urgent weekend morning evening invoice attached thanks order late broken item wrong size`)

func sentence(r *rand.Rand, n int) string {
	out := make([]string, n)
	for i := range out {
		out[i] = words[r.IntN(len(words))]
	}
	return strings.Join(out, " ")
}

// Tuning are the kinds that the estimator was developed with.
var Tuning = []Kind{
	{"uniform of 100", i64, uniform64(100)},
	{"uniform of 1,000", i64, uniform64(1000)},
	{"uniform of 10,000", i64, uniform64(10_000)},
	{"uniform of 100,000", i64, uniform64(100_000)},
	{"uniform of 1,000,000", i64, uniform64(1_000_000)},
	{"uniform int32 of 5,000", i32, each(func(r *rand.Rand, _ int) any { return int32(r.IntN(5000) * 77) })},
	{"Zipf 1.2", i64, zipf(1.2, 10_000, func(v uint64) any { return scatter(int64(v)) })},
	{"Zipf 1.5 of a million", i64, zipf(1.5, 1_000_000, func(v uint64) any { return scatter(int64(v)) })},
	{"Zipf by rank", i32, zipf(1.1, 50_000, func(v uint64) any { return int32(v) })},
	{"sorted, 100 values", i64, func(_ *rand.Rand, n int) func(int) any { return func(i int) any { return int64(i * 100 / n) } }},
	{"sorted, 10,000 values", i64, func(_ *rand.Rand, n int) func(int) any { return func(i int) any { return int64(i*10_000/n) * 7 } }},
	{"sorted, each three times", i64, func(_ *rand.Rand, _ int) func(int) any { return func(i int) any { return int64(i / 3) } }},
	{"serial numbers", i64, func(_ *rand.Rand, _ int) func(int) any { return func(i int) any { return int64(i + 1) } }},
	{"serial numbers with gaps", i64, func(r *rand.Rand, _ int) func(int) any {
		id := int64(1000)
		return func(int) any { id += 1 + r.Int64N(20); return id }
	}},
	{"partitions of 500 values", i32, func(r *rand.Rand, n int) func(int) any {
		return func(i int) any { return int32(i*10/n*1000 + r.IntN(500)) }
	}},
	{"drifting window", i64, func(r *rand.Rand, _ int) func(int) any {
		return func(i int) any { return int64(i)/20 + r.Int64N(2000) }
	}},
	{"sessions in bursts", i64, runs(12, func(r *rand.Rand, k int) any { return scatter(int64(k)) })},
	{"users in bursts", i64, runs(8, func(r *rand.Rand, _ int) any { return scatter(r.Int64N(20_000)) })},
	{"locally sorted", i64, func(r *rand.Rand, _ int) func(int) any {
		v := int64(0)
		return func(i int) any {
			if i%5000 == 0 {
				v = r.Int64N(1000)
			}
			v += r.Int64N(3)
			return v
		}
	}},
	{"seconds, one a row", ts, func(_ *rand.Rand, _ int) func(int) any {
		return func(i int) any { return int64(1.7e15) + int64(i)*1e6 }
	}},
	{"microseconds at random", ts, each(func(r *rand.Rand, _ int) any { return int64(1.7e15) + r.Int64N(30*day) })},
	{"timestamps of days", ts, each(func(r *rand.Rand, _ int) any { return int64(1.7e15)/day*day + r.Int64N(700)*day })},
	{"event times, nearly sorted", ts, func(r *rand.Rand, _ int) func(int) any {
		at := int64(1.7e15)
		return func(int) any { at += r.Int64N(2e6); return (at + r.Int64N(60e6)) / 1000 * 1000 }
	}},
	{"minutes, sorted", ts, func(r *rand.Rand, n int) func(int) any {
		return func(i int) any { return int64(1.7e15) + int64(i/17)*60e6 }
	}},
	{"UUIDs as text", text, each(func(r *rand.Rand, _ int) any { return uuidOf(r) })},
	{"UUIDs in 16 bytes", uuid, each(func(r *rand.Rand, _ int) any { b := make([]byte, 16); copy(b, hexOf(r, 8)); return b })},
	{"e-mails", text, each(func(r *rand.Rand, _ int) any { return fmt.Sprintf("user%d@example.com", r.IntN(20_000)) })},
	{"e-mails, Zipf", text, zipf(1.3, 100_000, func(v uint64) any { return fmt.Sprintf("user%06d@example.org", scatter(int64(v))&0xfffff) })},
	{"prices", f64, each(func(r *rand.Rand, _ int) any { return float64(r.IntN(50_000)) / 100 })},
	{"prices, log-normal", f64, each(func(r *rand.Rand, _ int) any { return math.Round(math.Exp(r.NormFloat64()+3)*100) / 100 })},
	{"coordinates", f64, each(func(r *rand.Rand, _ int) any { return r.Float64()*180 - 90 })},
	{"coordinates, 2 decimals", f64, each(func(r *rand.Rand, _ int) any { return math.Round(r.Float64()*18000)/100 - 90 })},
	{"free text", text, each(func(r *rand.Rand, _ int) any { return sentence(r, 4+r.IntN(8)) })},
	{"short notes", text, each(func(r *rand.Rand, _ int) any { return sentence(r, 2) })},
	{"log lines", text, each(func(r *rand.Rand, _ int) any {
		return fmt.Sprintf("GET /api/v1/items/%d %d %dms", r.IntN(3000), []int{200, 200, 200, 404, 500}[r.IntN(5)], r.IntN(40))
	})},
	{"five states", text, each(func(r *rand.Rand, _ int) any {
		return []string{"open", "shipped", "returned", "lost", "cancelled"}[min(4, r.IntN(9))]
	})},
	{"countries, Zipf", text, zipf(1.4, 200, func(v uint64) any { return fmt.Sprintf("country %03d", v) })},
	{"half NULL, 1,000 values", i64, holes(.5, uniform64(1000))},
	{"90 % NULL, 10,000 values", i64, holes(.9, uniform64(10_000))},
	{"text, 30 % NULL", text, holes(.3, each(func(r *rand.Rand, _ int) any { return fmt.Sprintf("sku-%05d", r.IntN(4000)) }))},
	{"NULL in blocks", i64, func(r *rand.Rand, _ int) func(int) any {
		return func(i int) any {
			if i/1000%3 == 0 {
				return nil
			}
			return r.Int64N(3000)
		}
	}},
	{"all NULL", i64, each(func(*rand.Rand, int) any { return nil })},
	{"constant", i64, each(func(*rand.Rand, int) any { return int64(42) })},
	{"constant text", text, each(func(*rand.Rand, int) any { return "always the same" })},
	{"booleans", yesNo, each(func(r *rand.Rand, _ int) any { return r.IntN(3) == 0 })},
	{"hashes", text, each(func(r *rand.Rand, _ int) any { return hexOf(r, 8) })},
	{"IP addresses", text, each(func(r *rand.Rand, _ int) any { x := r.IntN(5000); return fmt.Sprintf("10.%d.%d.%d", x%7, x/256, x%256) })},
	{"URLs, Zipf", text, zipf(1.2, 3000, func(v uint64) any { return fmt.Sprintf("https://shop.example.com/catalogue/items/%d?ref=mail", v*7919) })},
	{"dates of three years", date, each(func(r *rand.Rand, _ int) any { return int32(19000 + r.IntN(1096)) })},
	{"dates, sorted", date, func(_ *rand.Rand, n int) func(int) any { return func(i int) any { return int32(19000 + i*731/n) } }},
	{"quantities", i32, each(func(r *rand.Rand, _ int) any { return int32(1 + r.IntN(50)) })},
	{"sensor, 0.1", f32, each(func(r *rand.Rand, _ int) any { return float32(math.Round(r.NormFloat64()*80)) / 10 })},
}
