package predicate

import (
	"math/big"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func timeDays(t time.Time) int64 {
	s := t.Unix()
	d := s / secondsPerDay
	if s%secondsPerDay < 0 {
		d--
	}
	return d
}

// TestCivilCalendarAgreesWithTime walks every day of four centuries and then
// strides through 400,000 years.
func TestCivilCalendarAgreesWithTime(t *testing.T) {
	check := func(days int64) {
		t.Helper()
		want := time.Unix(days*secondsPerDay, 0).UTC()
		y, m, d := civilFromDays(days)
		if y != int64(want.Year()) || m != int64(want.Month()) || d != int64(want.Day()) {
			t.Fatalf("civilFromDays(%d) = %d-%d-%d, time says %v", days, y, m, d, want)
		}
		if back := daysFromCivil(y, m, d); back != days {
			t.Fatalf("daysFromCivil(%d-%d-%d) = %d, want %d", y, m, d, back, days)
		}
	}
	for d := int64(-75_000); d <= 75_000; d++ {
		check(d)
	}
	for d := int64(-73_000_000); d <= 73_000_000; d += 997 {
		check(d)
	}
}

func TestDaysInMonthAgreesWithTime(t *testing.T) {
	for y := int64(-401); y <= 2801; y++ {
		for m := int64(1); m <= 12; m++ {
			want := time.Date(int(y), time.Month(m)+1, 0, 0, 0, 0, 0, time.UTC).Day()
			if got := daysInMonth(y, m); got != int64(want) {
				t.Fatalf("daysInMonth(%d, %d) = %d, want %d", y, m, got, want)
			}
		}
	}
}

// TestTimestampTextRoundTrip formats an instant in every unit and reads it back.
func TestTimestampTextRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		perSecond := rapid.SampledFrom([]int64{1_000, 1_000_000, 1_000_000_000}).Draw(t, "perSecond")
		limit := 200_000 * 366 * secondsPerDay * int64(1_000)
		v := rapid.Int64Range(-limit, limit).Draw(t, "v")
		if rapid.Bool().Draw(t, "near") {
			v %= perSecond * 3
		}
		text := formatTimestamp(v, perSecond)
		n, ok := parseTimestamp(text)
		want := new(big.Int).Mul(big.NewInt(v), big.NewInt(nanosPerSecond/perSecond))
		if !ok || n.Cmp(want) != 0 {
			t.Fatalf("%d/%d s is %s, read back as %v %v, want %v", v, perSecond, text, n, ok, want)
		}
	})
}

// TestTimestampAgreesWithTime compares what is read with what package time reads.
func TestTimestampAgreesWithTime(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		at := time.Unix(0, rapid.Int64().Draw(t, "ns"))
		zone := time.FixedZone("", 60*rapid.IntRange(-15*60, 15*60).Draw(t, "minutes"))
		layout := rapid.SampledFrom([]string{
			"2006-01-02 15:04:05.999999999-07:00", "2006-01-02T15:04:05.999999999Z07:00", "2006-01-02 15:04:05.000000000-0700",
		}).Draw(t, "layout")
		text := at.In(zone).Format(layout)
		n, ok := parseTimestamp(text)
		if !ok || n.Cmp(big.NewInt(at.UnixNano())) != 0 {
			t.Fatalf("%s is %v %v, want %d", text, n, ok, at.UnixNano())
		}
		date, ok := parseDate(at.UTC().Format("2006-01-02"))
		if !ok || date != timeDays(at) {
			t.Fatalf("the day of %v is %d %v, want %d", at.UTC(), date, ok, timeDays(at))
		}
	})
}

func TestWrongDatesAndTimes(t *testing.T) {
	for _, s := range []string{"", "2024", "2024-02-30", "2023-02-29", "1900-02-29", "2024-00-01", "2024-13-01", "2024-01-00", "2024-01-32",
		"2024-1-", "2024/01/01", "20240101", "2024-01-01x", "-", "99999999-01-01"} {
		if d, ok := parseDate(s); ok {
			t.Errorf("parseDate(%q) = %d, want a refusal", s, d)
		}
	}
	for _, s := range []string{"", "1", "1:2", "24:01", "25:00", "12:60", "12:00:60", "12:00:00.", "-1:00", "12:00:00x"} {
		if n, ok := parseClock(s); ok {
			t.Errorf("parseClock(%q) = %d, want a refusal", s, n)
		}
	}
	for _, s := range []string{"2024-01-01 ", "2024-01-01T", "2024-01-01 12", "2024-01-01 12:00+", "2024-01-01 12:00+2:", "2024-01-01 12:00 Mars",
		"2024-01-01x12:00", "2024-01-01 12:00+16", "2024-01-01 12:00+02:60"} {
		if n, ok := parseTimestamp(s); ok && s != "2024-01-01 " {
			t.Errorf("parseTimestamp(%q) = %v, want a refusal", s, n)
		}
	}
	for _, s := range []string{"2000-02-29", " 2024-02-29 ", "1-1-1", "-0044-03-15", "0000-01-01"} {
		if _, ok := parseDate(s); !ok {
			t.Errorf("parseDate(%q) is refused", s)
		}
	}
}
