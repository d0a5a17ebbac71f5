package predicate

import (
	"math/big"
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
