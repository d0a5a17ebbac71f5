package property

import (
	"encoding/hex"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
)

// The texts of aggregates. A text says what kind of value it is, and two values
// of a kind are the same if and only if their texts are, in whatever unit or
// width they are: -0.0 is 0.0, all NaNs are one.

const nullText = "NULL"

func floatText(f float64) string {
	if f == 0 {
		f = 0
	}
	return "float " + strconv.FormatFloat(f, 'g', -1, 64)
}

func bytesText(b []byte) string { return "bytes " + strings.ToUpper(hex.EncodeToString(b)) }

// unitText writes v units, of which perSecond make a second.
func unitText(kind string, v, perSecond int64) string {
	return kind + " " + big.NewRat(v, perSecond).RatString()
}

func decimalText(unscaled *big.Int, scale int32) string {
	unit := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(scale, -scale))), nil)
	if scale < 0 {
		return "decimal " + new(big.Int).Mul(unscaled, unit).String()
	}
	return "decimal " + new(big.Rat).SetFrac(unscaled, unit).RatString()
}

// arrowText is the text of the one value of an array.
func arrowText(a arrow.Array) (string, error) {
	if a.Len() != 1 {
		return "", fmt.Errorf("%d values instead of one", a.Len())
	}
	if a.IsNull(0) || a.DataType().ID() == arrow.NULL {
		return nullText, nil
	}
	switch a := a.(type) {
	case *array.Boolean:
		return fmt.Sprintf("bool %t", a.Value(0)), nil
	case *array.Int8, *array.Int16, *array.Int32, *array.Int64, *array.Uint8, *array.Uint16, *array.Uint32, *array.Uint64:
		return "int " + a.ValueStr(0), nil
	case *array.Float16:
		return floatText(float64(a.Value(0).Float32())), nil
	case *array.Float32:
		return floatText(float64(a.Value(0))), nil
	case *array.Float64:
		return floatText(a.Value(0)), nil
	case *array.String:
		return bytesText([]byte(a.Value(0))), nil
	case *array.Binary:
		return bytesText(a.Value(0)), nil
	case *array.FixedSizeBinary:
		return bytesText(a.Value(0)), nil
	case *array.Decimal128:
		return decimalText(a.Value(0).BigInt(), a.DataType().(arrow.DecimalType).GetScale()), nil
	case *array.Decimal256:
		return decimalText(a.Value(0).BigInt(), a.DataType().(arrow.DecimalType).GetScale()), nil
	case *array.Date32:
		return fmt.Sprintf("date %d", a.Value(0)), nil
	case *array.Time32:
		return unitText("time", int64(a.Value(0)), perSecond(a.DataType())), nil
	case *array.Time64:
		return unitText("time", int64(a.Value(0)), perSecond(a.DataType())), nil
	case *array.Timestamp:
		kind := "timestamp"
		if a.DataType().(*arrow.TimestampType).TimeZone != "" {
			kind = "instant"
		}
		return unitText(kind, int64(a.Value(0)), perSecond(a.DataType())), nil
	}
	return "", fmt.Errorf("no text for %v", a.DataType())
}

func perSecond(t arrow.DataType) int64 {
	return int64(1e9) / int64(t.(arrow.TemporalWithUnit).TimeUnit().Multiplier())
}

// duckUnits are DuckDB's types of times: what they are, the function that makes
// an integer of a value, and its unit.
var duckUnits = map[string]struct {
	kind, function string
	perSecond      int64
}{
	"TIME": {"time", "epoch_us", 1e6}, "TIME WITH TIME ZONE": {"time", "epoch_us", 1e6}, "TIME_NS": {"time", "epoch_ns", 1e9},
	"TIMESTAMP": {"timestamp", "epoch_us", 1e6}, "TIMESTAMP_NS": {"timestamp", "epoch_ns", 1e9},
	"TIMESTAMP_MS": {"timestamp", "epoch_us", 1e6}, "TIMESTAMP_S": {"timestamp", "epoch_us", 1e6},
	"TIMESTAMP WITH TIME ZONE": {"instant", "epoch_us", 1e6},
}

// duckExpr is an expression whose result duckText can read. DuckDB's infinity
// has no epoch.
func duckExpr(expr, typ string) string {
	switch base, _, _ := strings.Cut(typ, "("); base {
	case "VARCHAR":
		return "hex(encode(" + expr + "))"
	case "JSON":
		return "hex(encode(" + expr + "::VARCHAR))"
	case "BLOB":
		return "hex(" + expr + ")"
	case "UUID":
		return "replace(" + expr + "::VARCHAR, '-', '')"
	case "FLOAT":
		return expr + "::DOUBLE::VARCHAR"
	case "DATE":
		return "(" + expr + " - DATE '1970-01-01')::VARCHAR"
	default:
		if u, ok := duckUnits[base]; ok {
			return "coalesce(" + u.function + "(" + expr + ")::VARCHAR, " + expr + "::VARCHAR)"
		}
	}
	return expr + "::VARCHAR"
}

// duckText is the text of what duckExpr gave.
func duckText(s, typ string) (string, error) {
	base, _, _ := strings.Cut(typ, "(")
	if u, ok := duckUnits[base]; ok {
		v, err := strconv.ParseInt(s, 10, 64)
		switch s {
		case "infinity":
			v, err = math.MaxInt64, nil
		case "-infinity":
			v, err = -math.MaxInt64, nil
		}
		return unitText(u.kind, v, u.perSecond), err
	}
	switch base {
	case "BOOLEAN":
		return "bool " + s, nil
	case "VARCHAR", "JSON", "BLOB", "UUID":
		return "bytes " + strings.ToUpper(s), nil
	case "FLOAT", "DOUBLE":
		f, err := strconv.ParseFloat(strings.Replace(s, "-nan", "nan", 1), 64)
		return floatText(f), err
	case "DECIMAL":
		r, ok := new(big.Rat).SetString(s)
		if !ok {
			return "", fmt.Errorf("%q is no decimal", s)
		}
		return "decimal " + r.RatString(), nil
	case "DATE":
		return "date " + s, nil
	case "TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT":
		return "int " + s, nil
	}
	return strings.ToLower(base) + " " + s, nil
}
