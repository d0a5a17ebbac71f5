package ndvbench

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
)

// Random makes so many kinds of random distributions, orders and types.
func Random(r *rand.Rand, n int) []Kind {
	out := make([]Kind, n)
	for i := range out {
		out[i] = randomKind(r)
	}
	return out
}

// randomKind draws numbers of a distribution, puts them in an order, and makes
// values of a type of them.
func randomKind(r *rand.Rand) Kind {
	domain := int64(math.Exp(r.Float64() * math.Log(50_000)))
	var draw func(r *rand.Rand, i, n int) int64
	name := ""
	switch r.IntN(7) {
	case 0:
		name, draw = "uniform", func(r *rand.Rand, _, _ int) int64 { return r.Int64N(domain) }
	case 1:
		s := 1.05 + r.Float64()
		name, draw = "Zipf", func(r *rand.Rand, _, _ int) int64 {
			return int64(min(float64(domain-1), math.Pow(1-r.Float64(), -1/s)))
		}
	case 2:
		name, draw = "sorted", func(_ *rand.Rand, i, n int) int64 { return int64(i) * domain / int64(n) }
	case 3:
		name, draw = "descending", func(_ *rand.Rand, i, n int) int64 { return int64(n-i) * domain / int64(n) }
	case 4:
		width := 1 + r.Int64N(domain)
		name, draw = "drifting", func(r *rand.Rand, i, n int) int64 { return int64(i)*domain/int64(n) + r.Int64N(width) }
	case 5:
		run := 1 + r.IntN(300)
		seed := r.Uint64()
		name, draw = "runs", func(_ *rand.Rand, i, _ int) int64 {
			return int64(rand.New(rand.NewPCG(seed, uint64(i/run))).Uint64N(uint64(domain)))
		}
	default:
		name, draw = "normal", func(r *rand.Rand, _, _ int) int64 { return int64(r.NormFloat64() * float64(domain)) }
	}
	share := []float64{0, 0, 0, 0.1, 0.5, 0.95, 1}[r.IntN(7)]
	k := randomType(r)
	value := k.value
	return Kind{fmt.Sprintf("%s of %d as %s, %.0f %% NULL", name, domain, k.name, 100*share), k.typ, func(r *rand.Rand, n int) func(int) any {
		return func(i int) any {
			if v := draw(r, i, n); share < 1 && r.Float64() >= share {
				return value(v)
			}
			return nil
		}
	}}
}

type randomized struct {
	name  string
	typ   arrow.DataType
	value func(v int64) any
}

func randomType(r *rand.Rand) randomized {
	length := r.IntN(60)
	kinds := []randomized{
		{"int64", i64, func(v int64) any { return v }},
		{"scattered int64", i64, func(v int64) any { return scatter(v) }},
		{"int32", i32, func(v int64) any { return int32(v) }},
		{"double", f64, func(v int64) any { return float64(v) / 100 }},
		{"double with NaN and zeros", f64, func(v int64) any {
			switch v % 11 {
			case 0:
				return math.NaN()
			case 1:
				return math.Copysign(0, -1)
			case 2:
				return 0.0
			}
			return float64(v)
		}},
		{"double with NaN, no zeros", f64, func(v int64) any {
			if v%11 == 0 {
				return math.NaN()
			}
			return float64(v/3) + 0.5
		}},
		{"float with infinities and NaN", f32, func(v int64) any {
			switch v % 50 {
			case 0:
				return float32(math.Inf(1))
			case 1:
				return float32(math.Inf(-1))
			case 2:
				return float32(math.NaN())
			}
			return float32(v)
		}},
		{"int64 at its ends", i64, func(v int64) any {
			if v%2 == 0 {
				return math.MaxInt64 - v/2
			}
			return math.MinInt64 + v/2
		}},
		{"text of the last letters", text, func(v int64) any { return strings.Repeat("\U0010ffff", int((v%9+9)%9)) + fmt.Sprint(v%5) }},
		{"float", f32, func(v int64) any { return float32(v) / 4 }},
		{"short text", text, func(v int64) any { return fmt.Sprintf("%x", v) }},
		{"text", text, func(v int64) any { return fmt.Sprintf("value %0*d", length, v) }},
		{"text of one long prefix", text, func(v int64) any { return fmt.Sprintf("%0*d", 20+3*length, v) }},
		{"date", date, func(v int64) any { return int32(v % 40_000) }},
		{"timestamp", ts, func(v int64) any { return 1_700_000_000_000_000 + v*60_000_000 }},
		{"boolean", yesNo, func(v int64) any { return v%2 == 0 }},
		{"16 bytes", uuid, func(v int64) any { return fmt.Appendf(nil, "%016x", v) }},
	}
	return kinds[r.IntN(len(kinds))]
}
