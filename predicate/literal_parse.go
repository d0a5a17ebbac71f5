package predicate

import (
	"math"
	"math/big"
	"strconv"
	"strings"
)

// maxExponent bounds literals like 1e999999999, whose exact value would not
// fit into memory. No column type reaches so far.
const maxExponent = 400

// parseNumber reads an unsigned or signed decimal number, exactly.
func parseNumber(s string) (l Literal, ok bool) {
	s = strings.TrimSpace(s)
	switch strings.ToLower(strings.TrimLeft(s, "+-")) {
	case "nan":
		return floatLiteral(math.NaN()), true
	case "inf", "infinity":
		sign := 1
		if strings.HasPrefix(s, "-") {
			sign = -1
		}
		return floatLiteral(math.Inf(sign)), true
	}
	mantissa, exponent, scientific := s, "", false
	if i := strings.IndexAny(s, "eE"); i >= 0 {
		mantissa, exponent, scientific = s[:i], s[i+1:], true
		e, err := strconv.Atoi(exponent)
		if err != nil || e > maxExponent || e < -maxExponent {
			return l, false
		}
	}
	digits := 0
	for i, r := range mantissa {
		switch {
		case r >= '0' && r <= '9':
			digits++
		case r == '.', (r == '-' || r == '+') && i == 0:
		default:
			return l, false
		}
	}
	rat, ok := new(big.Rat).SetString(s)
	l = Literal{kind: litNumber, rat: rat, double: scientific}
	if i := strings.IndexByte(s, '.'); i >= 0 && !scientific {
		l.scale = len(s) - i - 1
	}
	return l, ok && digits > 0
}

// parseBool reads the words that SQL takes for booleans.
func parseBool(s string) (b, ok bool) {
	switch strings.ToLower(strings.TrimSpace(s)) {
	case "true", "t", "yes", "1":
		return true, true
	case "false", "f", "no", "0":
		return false, true
	}
	return false, false
}

// parseUUID reads a UUID with or without hyphens.
func parseUUID(s string) (b string, ok bool) {
	h := strings.ReplaceAll(strings.Trim(strings.TrimSpace(s), "{}"), "-", "")
	if len(h) != 32 {
		return "", false
	}
	out := make([]byte, 16)
	for i := range out {
		v, err := strconv.ParseUint(h[2*i:2*i+2], 16, 8)
		if err != nil {
			return "", false
		}
		out[i] = byte(v)
	}
	return string(out), true
}

// parseBlob reads text in which \xHH stands for a byte.
func parseBlob(s string) (b string, ok bool) {
	var out strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' {
			out.WriteByte(s[i])
			continue
		}
		if i+3 >= len(s) || s[i+1] != 'x' && s[i+1] != 'X' {
			return "", false
		}
		v, err := strconv.ParseUint(s[i+2:i+4], 16, 8)
		if err != nil {
			return "", false
		}
		out.WriteByte(byte(v))
		i += 3
	}
	return out.String(), true
}
