package predicate

import (
	"fmt"
	"math/big"
	"strings"
)

// The civil calendar in integers, proleptic Gregorian, since this package
// knows no clock and SQL's years reach beyond those of package time's layouts.

const (
	nanosPerSecond = 1_000_000_000
	secondsPerDay  = 86_400
)

// daysFromCivil returns the days from 1970-01-01 to a date. Month 1…12.
func daysFromCivil(y, m, d int64) int64 {
	if m <= 2 {
		y--
	}
	era := y / 400
	if y%400 < 0 {
		era--
	}
	yoe := y - era*400
	doy := (153*((m+9)%12)+2)/5 + d - 1
	doe := yoe*365 + yoe/4 - yoe/100 + doy
	return era*146097 + doe - 719468
}

// civilFromDays is the inverse of daysFromCivil.
func civilFromDays(days int64) (y, m, d int64) {
	days += 719468
	era := days / 146097
	if days%146097 < 0 {
		era--
	}
	doe := days - era*146097
	yoe := (doe - doe/1460 + doe/36524 - doe/146096) / 365
	doy := doe - (365*yoe + yoe/4 - yoe/100)
	mp := (5*doy + 2) / 153
	d = doy - (153*mp+2)/5 + 1
	m = mp + 3
	if m > 12 {
		m -= 12
	}
	y = yoe + era*400
	if m <= 2 {
		y++
	}
	return y, m, d
}

func daysInMonth(y, m int64) int64 {
	return daysFromCivil(y+m/12, m%12+1, 1) - daysFromCivil(y, m, 1)
}

// scanner reads the fields of a date or time.
type scanner struct{ s string }

func (c *scanner) literal(r byte) bool {
	if c.s != "" && c.s[0] == r {
		c.s = c.s[1:]
		return true
	}
	return false
}

// digits reads between least and most digits.
func (c *scanner) digits(least, most int) (v int64, ok bool) {
	n := 0
	for n < len(c.s) && n < most && c.s[n] >= '0' && c.s[n] <= '9' {
		v = v*10 + int64(c.s[n]-'0')
		n++
	}
	c.s = c.s[n:]
	return v, n >= least
}

// date reads [-]YYYY-MM-DD and returns the days since 1970-01-01.
func (c *scanner) date() (days int64, ok bool) {
	negative := c.literal('-')
	y, ok1 := c.digits(1, 7)
	if negative {
		y = -y
	}
	if !ok1 || !c.literal('-') {
		return 0, false
	}
	m, ok2 := c.digits(1, 2)
	if !ok2 || !c.literal('-') {
		return 0, false
	}
	d, ok3 := c.digits(1, 2)
	if !ok3 || m < 1 || m > 12 || d < 1 || d > daysInMonth(y, m) {
		return 0, false
	}
	return daysFromCivil(y, m, d), true
}

// clock reads HH:MM[:SS[.fraction]] and returns nanoseconds. Digits beyond
// nanoseconds are dropped.
func (c *scanner) clock() (nanos int64, ok bool) {
	h, ok1 := c.digits(1, 2)
	if !ok1 || !c.literal(':') {
		return 0, false
	}
	m, ok2 := c.digits(2, 2)
	if !ok2 || h > 24 || m > 59 {
		return 0, false
	}
	var s, frac int64
	if c.literal(':') {
		var ok3 bool
		if s, ok3 = c.digits(2, 2); !ok3 || s > 59 {
			return 0, false
		}
		if c.literal('.') {
			before := len(c.s)
			if frac, ok3 = c.digits(1, 9); !ok3 {
				return 0, false
			}
			for n := before - len(c.s); n < 9; n++ {
				frac *= 10
			}
			c.digits(0, len(c.s))
		}
	}
	nanos = ((h*60+m)*60+s)*nanosPerSecond + frac
	return nanos, nanos <= secondsPerDay*nanosPerSecond
}

// zone reads nothing, Z, UTC or ±HH[[:]MM] and returns the offset in seconds.
func (c *scanner) zone() (offset int64, given, ok bool) {
	c.s = strings.TrimLeft(c.s, " ")
	switch strings.ToUpper(c.s) {
	case "":
		return 0, false, true
	case "Z", "UTC", "GMT":
		c.s = ""
		return 0, true, true
	}
	sign := int64(1)
	if c.literal('-') {
		sign = -1
	} else if !c.literal('+') {
		return 0, false, false
	}
	h, ok1 := c.digits(1, 2)
	var m int64
	if c.literal(':') || c.s != "" {
		m, ok = c.digits(2, 2)
		ok1 = ok1 && ok
	}
	return sign * (h*60 + m) * 60, true, ok1 && c.s == "" && h <= 15 && m <= 59
}

// parseDate parses a date.
func parseDate(s string) (days int64, ok bool) {
	c := scanner{strings.TrimSpace(s)}
	days, ok = c.date()
	return days, ok && c.s == ""
}

// parseClock parses a time of day into nanoseconds.
func parseClock(s string) (nanos int64, ok bool) {
	c := scanner{strings.TrimSpace(s)}
	nanos, ok = c.clock()
	return nanos, ok && c.s == ""
}

// parseTimestamp parses a date, optionally with a time of day and an offset,
// into nanoseconds since 1970 in UTC. Without an offset it is taken as UTC.
func parseTimestamp(s string) (nanos *big.Int, ok bool) {
	c := scanner{strings.TrimSpace(s)}
	days, ok := c.date()
	if !ok {
		return nil, false
	}
	var clock, offset int64
	if c.s != "" {
		if !c.literal('T') && !c.literal(' ') {
			return nil, false
		}
		c.s = strings.TrimLeft(c.s, " ")
		if clock, ok = c.clock(); !ok {
			return nil, false
		}
		if offset, _, ok = c.zone(); !ok {
			return nil, false
		}
	}
	n := new(big.Int).Mul(big.NewInt(days), big.NewInt(secondsPerDay*nanosPerSecond))
	n.Add(n, big.NewInt(clock))
	return n.Sub(n, big.NewInt(offset*nanosPerSecond)), true
}

func formatDate(days int64) string {
	y, m, d := civilFromDays(days)
	return fmt.Sprintf("%04d-%02d-%02d", y, m, d)
}

// formatClock renders units of 1/perSecond seconds of the day.
func formatClock(v, perSecond int64) string {
	s := v / perSecond
	text := fmt.Sprintf("%02d:%02d:%02d", s/3600, s/60%60, s%60)
	if frac := v % perSecond; frac != 0 {
		digits := len(fmt.Sprint(perSecond)) - 1
		text += "." + strings.TrimRight(fmt.Sprintf("%0*d", digits, frac), "0")
	}
	return text
}

// formatTimestamp renders units of 1/perSecond seconds since 1970.
func formatTimestamp(v, perSecond int64) string {
	perDay := secondsPerDay * perSecond
	days, rest := v/perDay, v%perDay
	if rest < 0 {
		days--
		rest += perDay
	}
	return formatDate(days) + " " + formatClock(rest, perSecond)
}
