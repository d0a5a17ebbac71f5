package ndvbench

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// HeldOut are kinds that no constant of the estimator was chosen on.
var HeldOut = []Kind{
	{"normal integers", i64, each(func(r *rand.Rand, _ int) any { return int64(r.NormFloat64() * 3000) })},
	{"geometric", i32, each(func(r *rand.Rand, _ int) any { return int32(math.Log(1-r.Float64()) * -400) })},
	{"two populations", i64, each(func(r *rand.Rand, _ int) any {
		if r.IntN(10) > 0 {
			return r.Int64N(50)
		}
		return 1000 + r.Int64N(60_000)
	})},
	{"Pareto", i64, each(func(r *rand.Rand, _ int) any { return int64(100 * math.Pow(1-r.Float64(), -1/1.5)) })},
	{"descending", i64, func(_ *rand.Rand, n int) func(int) any { return func(i int) any { return int64((n - i) / 40) } }},
	{"sawtooth", i32, func(_ *rand.Rand, _ int) func(int) any { return func(i int) any { return int32(i % 3777) } }},
	{"random walk", i64, func(r *rand.Rand, _ int) func(int) any {
		v := int64(0)
		return func(int) any { v += r.Int64N(11) - 5; return v }
	}},
	{"random walk of floats", f64, func(r *rand.Rand, _ int) func(int) any {
		v := 20.0
		return func(int) any { v += r.NormFloat64() / 10; return math.Round(v*100) / 100 }
	}},
	{"hours, sorted", ts, func(_ *rand.Rand, _ int) func(int) any {
		return func(i int) any { return int64(1.6e15) + int64(i/90)*3600e6 }
	}},
	{"products, Zipf", text, zipf(1.15, 8000, func(v uint64) any { return fmt.Sprintf("SKU-%06d", v*13) })},
	{"phone numbers", text, each(func(r *rand.Rand, _ int) any { return fmt.Sprintf("+49 30 %07d", r.IntN(30_000)*331) })},
	{"user agents", text, zipf(1.3, 300, func(v uint64) any {
		return fmt.Sprintf("Mozilla/5.0 (X11; Linux x86_64; rv:%d.0) Gecko/20100101 Firefox/%d.%d", v, v, v%7)
	})},
	{"JSON", text, each(func(r *rand.Rand, _ int) any {
		return fmt.Sprintf(`{"id":%d,"ok":%t,"n":%d}`, r.IntN(500), r.IntN(2) == 0, r.IntN(20))
	})},
	{"rare text", text, holes(.97, each(func(r *rand.Rand, _ int) any { return sentence(r, 3) }))},
	{"order numbers, sorted", text, func(_ *rand.Rand, _ int) func(int) any { return func(i int) any { return fmt.Sprintf("ORD%09d", i/2) } }},
	{"batches of 1,000", i64, func(r *rand.Rand, _ int) func(int) any {
		v := int64(0)
		return func(i int) any {
			if i%1000 == 0 {
				v = r.Int64()
			}
			return v
		}
	}},
	{"two domains in turn", i32, func(r *rand.Rand, _ int) func(int) any {
		return func(i int) any { return int32(i/20_000%2*100_000 + r.IntN(2500)) }
	}},
	{"growing", i64, func(r *rand.Rand, _ int) func(int) any {
		return func(i int) any { return scatter(r.Int64N(int64(i/10 + 1))) }
	}},
	{"words", text, zipf(1.1, 50_000, func(v uint64) any { return fmt.Sprintf("w%x", scatter(int64(v))&0xffffff) })},
	{"postcodes", text, each(func(r *rand.Rand, _ int) any { return fmt.Sprintf("%05d", 10_000+r.IntN(8000)*3) })},
	{"percentages", f64, each(func(r *rand.Rand, _ int) any { return float64(r.IntN(101)) })},
	{"latencies", i32, each(func(r *rand.Rand, _ int) any { return int32(math.Exp(r.NormFloat64()*1.2 + 4)) })},
	{"outliers", i64, each(func(r *rand.Rand, _ int) any {
		if r.IntN(1000) == 0 {
			return r.Int64()
		}
		return r.Int64N(200)
	})},
	{"mostly zero", f64, each(func(r *rand.Rand, _ int) any {
		if r.IntN(20) > 0 {
			return 0.0
		}
		return r.Float64()
	})},
	{"versions", text, each(func(r *rand.Rand, _ int) any { return fmt.Sprintf("v%d.%d.%d", r.IntN(4), r.IntN(10), r.IntN(20)) })},
	{"regions sorted, cities not", text, func(r *rand.Rand, n int) func(int) any {
		return func(i int) any { return fmt.Sprintf("%02d/%04d", i*40/n, r.IntN(120)) }
	}},
	{"colours", text, each(func(r *rand.Rand, _ int) any { return fmt.Sprintf("#%03x", r.IntN(4096)) })},
	{"traces of 8 spans", text, runs(8, func(r *rand.Rand, _ int) any { return hexOf(r, 16) })},
	{"durations, nanoseconds", i64, each(func(r *rand.Rand, _ int) any { return int64(r.ExpFloat64() * 1e7) })},
	{"ages, half NULL", i32, holes(.5, each(func(r *rand.Rand, _ int) any { return int32(18 + r.IntN(70)) }))},
}
