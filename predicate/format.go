package predicate

import (
	"math"
	"math/big"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/parequet/pare/metadata"
)

// maxShown is how many bytes of a string or binary value messages show.
const maxShown = 60

func formatBytes(col *metadata.Column, b []byte) string {
	cut := len(b) > maxShown
	if cut {
		b = b[:maxShown]
	}
	var s string
	if isText(col) && validPrefix(b) {
		s = quoteString(strings.ToValidUTF8(string(b), ""))
	} else {
		s = formatBlob(b)
	}
	if cut {
		s = s[:len(s)-1] + "…'"
	}
	return s
}

// validPrefix reports whether b is printable UTF-8, its last character possibly cut.
func validPrefix(b []byte) bool {
	for i := 0; i < len(b); {
		r, size := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && size <= 1 {
			return len(b)-i < utf8.UTFMax && !utf8.FullRune(b[i:])
		}
		if r < 0x20 {
			return false
		}
		i += size
	}
	return true
}

// formatFloat writes a number so that, compared with the column, it means the
// same: a FLOAT is rounded from the text, a number between two of them is a
// DOUBLE.
func formatFloat(col *metadata.Column, f float64) string {
	switch {
	case math.IsNaN(f):
		return "'nan'"
	case math.IsInf(f, 1):
		return "'inf'"
	case math.IsInf(f, -1):
		return "'-inf'"
	case col.Type == metadata.Double:
		return strconv.FormatFloat(f, 'g', -1, 64)
	case float64(float32(f)) == f:
		if a := math.Abs(f); a != 0 && (a < 1e-6 || a >= 1e15) {
			return "'" + strconv.FormatFloat(f, 'g', -1, 32) + "'"
		}
		return strconv.FormatFloat(f, 'f', -1, 32)
	}
	return strconv.FormatFloat(f, 'g', -1, 64) + "::DOUBLE"
}

func formatDecimal(unscaled *big.Int, scale int) string {
	s := new(big.Int).Abs(unscaled).String()
	if scale > 0 {
		if len(s) <= scale {
			s = strings.Repeat("0", scale-len(s)+1) + s
		}
		s = s[:len(s)-scale] + "." + s[len(s)-scale:]
	}
	if unscaled.Sign() < 0 {
		s = "-" + s
	}
	return s
}

func bytesValue(s string) metadata.Value { return metadata.BytesValue([]byte(s)) }
