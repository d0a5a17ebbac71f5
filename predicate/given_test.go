package predicate

import (
	"testing"

	"github.com/parequet/pare/metadata"
)

func TestGiven(t *testing.T) {
	day := metadata.NewColumn("day", metadata.Int32, metadata.Logical{Kind: metadata.Date})
	hour := metadata.NewColumn("hour", metadata.Int64, metadata.Logical{Kind: metadata.Integer, Bits: 64, Signed: true})
	region := metadata.NewColumn("region", metadata.ByteArray, metadata.Logical{Kind: metadata.String})
	v, text := metadata.IntValue(20_000), bytesValue("eu")
	known := func(name string) (Known, bool) {
		switch name {
		case "day": // 2024-10-04
			return Known{Column: day, Value: &v}, true
		case "hour":
			return Known{Column: hour}, true
		case "region":
			return Known{Column: region, Value: &text}, true
		}
		return Known{}, false
	}
	for _, c := range []struct {
		text, want string
		never      bool
	}{
		{"day = DATE '2024-10-04' AND x > 5", "TRUE AND x > 5", false},
		{"day = DATE '2024-10-05' AND x > 5", "FALSE AND x > 5", true},
		{"day = DATE '2024-10-05' OR x > 5", "FALSE OR x > 5", false},
		{"NOT (day = DATE '2024-10-05' OR x > 5)", "NOT (FALSE OR x > 5)", false},
		{"NOT (day >= DATE '2024-10-01' OR x > 5)", "NOT (TRUE OR x > 5)", true},
		{"hour = 5", "NULL", true},
		{"NOT (hour = 5)", "NOT (NULL)", true},
		{"hour IS NULL AND NOT (hour IS NOT NULL)", "TRUE AND NOT (NOT (TRUE))", false},
		{"hour IN (1, 2) OR region IN ('us', 'eu')", "NULL OR TRUE", false},
		{"region LIKE 'e%' AND region NOT LIKE '_u'", "TRUE AND NOT (TRUE)", true},
		{"region <> 'us' AND day BETWEEN DATE '2024-01-01' AND DATE '2024-12-31'", "TRUE AND (TRUE AND TRUE)", false},
		{"x IS NULL", "x IS NULL", false},
		{"TRUE", "TRUE", false}, {"FALSE", "FALSE", true},
	} {
		x, err := Parse(c.text)
		if err != nil {
			t.Fatal(err)
		}
		got, err := Given(x, c.text, known)
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		if got.String() != c.want || Impossible(got) != c.never {
			t.Errorf("%s: %v, never %v; want %s, %v", c.text, got, Impossible(got), c.want, c.never)
		}
	}
	x, _ := Parse("day = 5")
	if _, err := Given(x, "day = 5", known); err == nil {
		t.Error("a date compared with a number is no error")
	}
	if x, err := Given(nil, "", known); x != nil || err != nil || Impossible(nil) {
		t.Errorf("no condition: %v, %v", x, err)
	}
}
