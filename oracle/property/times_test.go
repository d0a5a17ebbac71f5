package property

import (
	"strings"
	"time"

	"pgregory.net/rapid"

	"github.com/parequet/pare/oracle/property/engines"
)

// Layouts of DuckDB's texts of dates and times.
const (
	dateLayout  = "2006-01-02"
	clockLayout = "15:04:05.999999999"
)

// timeLiteral draws a literal for a date, a time of day or a timestamp.
//
// DuckDB's TIME and TIMESTAMP have microseconds, so no more digits are drawn
// unless the literal is a TIMESTAMP_NS or takes the column's type.
func (c *column) timeLiteral(t *rapid.T, v string) string {
	v = strings.TrimSuffix(v, "+00")
	layout := map[kind]string{kindDate: dateLayout, kindTime: clockLayout}[c.kind]
	if layout == "" {
		layout = dateLayout + " " + clockLayout
	}
	at, err := time.Parse(layout, v)
	if err != nil {
		t.Fatalf("%s of column %s cannot be parsed", v, c.name)
	}
	step := rapid.SampledFrom([]time.Duration{0, 0, 0, 1, -1, 1e3}).Draw(t, "beside") * time.Microsecond
	switch c.kind {
	case kindDate:
		return dateLiteral(t, at, step)
	case kindTime:
		if c.duck == "TIME_NS" { // which DuckDB compares with no TIME
			return engines.QuoteText(besideClock(at, step/time.Microsecond).Format(clockLayout))
		}
		return typed(t, "TIME", besideClock(at, step).Truncate(time.Microsecond).Format(clockLayout))
	case kindTimestampTZ:
		return zonedLiteral(t, at.Add(step).Truncate(time.Microsecond))
	}
	if c.duck == "TIMESTAMP_NS" && rapid.Bool().Draw(t, "nanoseconds") {
		return typed(t, "TIMESTAMP_NS", at.Add(step/time.Microsecond).Format(layout))
	}
	if rapid.IntRange(0, 5).Draw(t, "day") == 0 {
		return typed(t, "DATE", at.Format(dateLayout))
	}
	return timestampLiteral(t, at.Add(step).Truncate(time.Microsecond))
}

// besideClock adds a step, but not across midnight.
func besideClock(at time.Time, step time.Duration) time.Time {
	if b := at.Add(step); b.Day() == at.Day() {
		return b
	}
	return at
}

func dateLiteral(t *rapid.T, at time.Time, step time.Duration) string {
	day := at.AddDate(0, 0, int(step/time.Microsecond))
	if rapid.IntRange(0, 3).Draw(t, "time of day") == 0 {
		return timestampLiteral(t, at.Add(step))
	}
	return typed(t, "DATE", day.Format(dateLayout))
}

func timestampLiteral(t *rapid.T, at time.Time) string {
	name := oneOf(t, "type", "TIMESTAMP", "TIMESTAMP", "DATETIME", "TIMESTAMP WITHOUT TIME ZONE")
	return typed(t, name, at.Format(dateLayout+oneOf(t, "separator", " ", "T")+clockLayout))
}

// zonedLiteral writes an instant with one of several offsets.
func zonedLiteral(t *rapid.T, at time.Time) string {
	name := oneOf(t, "type", "TIMESTAMPTZ", "TIMESTAMP WITH TIME ZONE")
	hours := rapid.IntRange(-12, 12).Draw(t, "hours")
	zone := time.FixedZone("", hours*3600+rapid.SampledFrom([]int{0, 1800}).Draw(t, "minutes"))
	suffix := oneOf(t, "zone", "Z07:00", "-07:00")
	return typed(t, name, at.In(zone).Format(dateLayout+" "+clockLayout+suffix))
}
