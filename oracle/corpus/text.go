package corpus

import (
	"encoding/hex"
	"fmt"
	"hash/maphash"
	"math"
	"math/big"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The text forms of values. Two values are the same if and only if their texts
// are, whatever the unit or width they were stored in.

func boolText(b bool) string {
	if b {
		return "true"
	}
	return "false"
}

// floatText widens floats of all sizes, which is exact. It tells -0 from 0, but
// all NaNs are one.
func floatText(f float64) string {
	if math.IsNaN(f) {
		return "NaN"
	}
	return strconv.FormatFloat(f, 'g', -1, 64)
}

// longest is the most bytes of a string that are kept as they are.
const longest = 64

var seed = maphash.MakeSeed()

// bytesText marks byte strings by a quote, so that an empty one differs from
// null. Of a long one it keeps the start, the length and a hash.
func bytesText(b []byte) string {
	if len(b) <= longest {
		return "'" + string(b)
	}
	return fmt.Sprintf("'%s#%d#%016x", b[:longest], len(b), maphash.Bytes(seed, b))
}

// unitText writes v units, of which perSecond make a second, as a number of
// seconds. Resolutions cannot overflow that way.
func unitText(v, perSecond int64) string {
	whole, part := v/perSecond, v%perSecond
	if part == 0 {
		return strconv.FormatInt(whole, 10)
	}
	sign := ""
	if v < 0 {
		sign, whole, part = "-", -whole, -part
	}
	digits := strconv.FormatInt(perSecond+part, 10)[1:] // with leading zeros
	return sign + strconv.FormatInt(whole, 10) + "." + strings.TrimRight(digits, "0")
}

// decimalText writes an unscaled number with all digits of its scale.
func decimalText(unscaled *big.Int, scale int) string {
	s := new(big.Int).Abs(unscaled).String()
	if scale < 0 {
		s += strings.Repeat("0", -scale)
	}
	if scale > 0 {
		if n := scale + 1 - len(s); n > 0 {
			s = strings.Repeat("0", n) + s
		}
		s = s[:len(s)-scale] + "." + s[len(s)-scale:]
	}
	if unscaled.Sign() < 0 {
		return "-" + s
	}
	return s
}

func intervalText(months, days, nanos int64) string {
	return strconv.FormatInt(months, 10) + " months " + strconv.FormatInt(days, 10) + " days " + unitText(nanos, 1e9) + " s"
}

// shown renders a text for people, in one short line.
func shown(text string) string {
	if text == "" {
		return "NULL"
	}
	if text[0] != '\'' {
		return text
	}
	const most = 24
	b, cut := text[1:], ""
	if len(b) > most {
		b, cut = b[:most], "…"
	}
	if utf8.ValidString(b) && strings.IndexFunc(b, func(r rune) bool { return !unicode.IsPrint(r) }) < 0 {
		return strconv.Quote(b) + cut
	}
	return "0x" + hex.EncodeToString([]byte(b)) + cut
}
