package dialect

// sameTexts are texts of literals, by their type, that pare and DuckDB read as
// the same value, or both refuse.
var sameTexts = map[string][]string{
	"DATE": {
		"2024-03-01", "2024-3-1", " 2024-03-01 ", "2024-03/01", "20240301", "2024-03-01 00:00:00", "2024-03-01 12:30:00",
		"2024-03-01T12:30:00", "2024-03-01 12:30:00+02", "2024-02-29", "2023-02-29", "2024-13-01", "2024-00-01", "2024-01-00",
		"24-03-01", "1-1-1", "0001-01-01", "0000-01-01", "-0001-01-01", "-1-01-01", "12024-03-01", "9999-12-31",
		"5881580-07-10", "99999999-01-01", "today", "", "Mar 1 2024", "2024-03-001", "2024-003-01", "+2024-03-01", "2024-03",
	},
	"TIME": {
		"12:34:56", "12:34", "12", "01:02:03.5", "01:02:03.123456", "24:00:00", "24:00:01", "25:00:00", "23:59:60", "23:60:00",
		" 12:34:56 ", "123456", "-12:34:56", "",
	},
	"TIMESTAMP": {
		"2024-03-01 12:34:56", "2024-03-01T12:34:56", "2024-03-01t12:34:56", "2024-03-01  12:34:56", "2024-03-01",
		"2024-03-01T", "2024-03-01 12", "2024-03-01 12:34", "2024-03-01 12:34:56.1", "2024-03-01 12:34:56.123456",
		"2024-03-01 24:00:00", "2024-03-01 23:59:60", "2024-03-01 12:34:56Z", "2024-03-01 12:34:56 UTC",
		"2024-03-01 12:34:56 Europe/Berlin", "2024-03-01+02", "1677-09-21 00:12:43.145224", "0001-01-01 00:00:00",
		"294247-01-10 04:00:54.775806", "",
	},
	"TIMESTAMPTZ": {
		"2024-03-01 12:34:56", "2024-03-01 12:34:56+02", "2024-03-01 12:34:56+02:00", "2024-03-01T12:34:56Z",
		"2024-03-01T12:34:56+02:30", "2024-03-01 12:34:56-12", "2024-03-01 12:34:56+14", "2024-03-01 12:34:56+0230",
		"2024-03-01 12:34:56 UTC", "2024-03-01 12:34:56 GMT", "2024-03-01",
	},
	"TIMESTAMP_S": {
		"2024-03-01 12:34:56",
	},
	"TIMESTAMP_MS": {
		"2024-03-01 12:34:56.123",
	},
	"TIMESTAMP_NS": {
		"2024-03-01 12:34:56.123456789", "2024-03-01 12:34:56.1234567891", "2262-04-11 23:47:16.854775806",
	},
	"BOOLEAN": {
		"true", "TRUE", "t", "T", "yes", "on", "off", "no", "1", "0", "2", "tru", "",
	},
	"INTEGER": {
		"5", " 5 ", "+5", "-5", "--5", "- 5", "5.", ".5", "5.0", "5.4", "5.5", "6.5", "-5.5", "5.49999999999999999999", "1e3",
		"1E3", "1e-1", "15e-1", "1e10", "010", "2147483647", "2147483647.4", "2147483647.5", "2147483648", "-2147483648",
		"-2147483649", "", "abc", "5a", "nan", "inf", "true", "1,000", "5 5",
	},
	"TINYINT": {
		"127", "128",
	},
	"UTINYINT": {
		"255", "256", "-1", "-0",
	},
	"BIGINT": {
		"9223372036854775807", "9223372036854775808",
	},
	"UBIGINT": {
		"18446744073709551615",
	},
	"HUGEINT": {
		"170141183460469231731687303715884105727", "170141183460469231731687303715884105728",
	},
	"DECIMAL(5,2)": {
		"1.234", "1.235", "-1.235", "999.99", "999.994", "999.995", "1e2", "1.5e-1", " 1.5 ", ".5", "5.", "nan", "",
	},
	"DECIMAL(5,0)": {
		"1.5",
	},
	"DECIMAL(38,10)": {
		"1234567890123456789012345678.0123456789",
	},
	"DECIMAL": {
		"1.5", "1.0005", "123456789012345.5", "1234567890123456",
	},
	"DECIMAL(3,3)": {
		"0.5",
	},
	"DECIMAL(3,4)": {
		"0.5",
	},
	"DOUBLE": {
		"1.5", ".5", "5.", "1e3", "1e400", "-1e400", "1e-400", "4.9e-324", "1e308", "nan", "NaN", "-nan", "+nan", "inf",
		"Infinity", "-inf", "+inf", "infinit", " 1.5 ", "0x10", "1.5.5", "", "1d", "1e", "e5",
		"123456789012345678901234567890", "0.1",
	},
	"FLOAT": {
		"0.1", "16777217", "3.4e38", "3.5e38", "1e-46", "nan", "1.000000059604644775390625", "1.00000005960464477539062500001",
	},
	"VARCHAR": {
		"x", "",
	},
	"BLOB": {
		"abc", `\x41`, `\xaa\xBB`, `\x4`, `\x`, `\\`, `a\b`, "", `\x00`,
	},
	"UUID": {
		"00000000-0000-0000-0000-000000000001", "00000000000000000000000000000001", "{00000000-0000-0000-0000-000000000001}",
		"0-0000000000000000000000000000001", "ABCDEFAB-CDEF-ABCD-EFAB-CDEFABCDEFAB", "00000000-0000-0000-0000-00000000000",
		"00000000-0000-0000-0000-0000000000011", "0000000g-0000-0000-0000-000000000001", "",
		"00000000--0000-0000-0000-000000000001",
	},
}

// answer says what an engine makes of a text, as against the other.
type answer int

const (
	onlyDuckDBReads answer = iota
	onlyPareReads
	otherValue // both read it, as different values
)

// otherTexts are texts of literals that the two read differently.
var otherTexts = []struct {
	typ, text string
	how       answer
	why       string
}{
	{"DATE", "2024/03/01", onlyDuckDBReads, "dates are written year-month-day, and nothing follows"},
	{"DATE", "2024-03-01Z", onlyDuckDBReads, "dates are written year-month-day, and nothing follows"},
	{"DATE", "0044-03-15 (BC)", onlyDuckDBReads, "years before 1 are written -0043"},
	{"DATE", "5881580-07-11", onlyPareReads, "days have no end; the literal lies above the column"},
	{"DATE", "5881581-01-01", onlyPareReads, "days have no end; the literal lies above the column"},
	{"DATE", "infinity", onlyDuckDBReads, "no words for dates"},
	{"DATE", "-infinity", onlyDuckDBReads, "no words for dates"},
	{"DATE", "epoch", onlyDuckDBReads, "no words for dates"},
	{"DATE", "2024-03-01x", onlyDuckDBReads, "dates are written year-month-day, and nothing follows"},
	{"DATE", "2024 03 01", onlyDuckDBReads, "dates are written year-month-day, and nothing follows"},
	{"TIME", "1:2:3", onlyDuckDBReads, "minutes and seconds have two digits, a fraction has one or more"},
	{"TIME", "01:02:03.1234567", otherValue, "TIME keeps nanoseconds"},
	{"TIME", "01:02:03.9999999", otherValue, "TIME keeps nanoseconds"},
	{"TIME", "01:02:03.", onlyDuckDBReads, "minutes and seconds have two digits, a fraction has one or more"},
	{"TIME", "12:34:56 PM", onlyDuckDBReads, "nothing stands around a time"},
	{"TIME", "12:34:56Z", onlyDuckDBReads, "nothing stands around a time"},
	{"TIME", "12:34:56+02", onlyDuckDBReads, "nothing stands around a time"},
	{"TIME", "12:34:5", onlyDuckDBReads, "minutes and seconds have two digits, a fraction has one or more"},
	{"TIME", "12:3:56", onlyDuckDBReads, "minutes and seconds have two digits, a fraction has one or more"},
	{"TIME", "2024-03-01 12:34:56", onlyDuckDBReads, "nothing stands around a time"},
	{"TIMESTAMP", "2024-03-01 ", onlyPareReads, "blanks at the end are left out"},
	{"TIMESTAMP", "2024-3-1 1:2:3", onlyDuckDBReads, "minutes and seconds have two digits"},
	{"TIMESTAMP", "2024-03-01 12:34:56.1234564", otherValue, "TIMESTAMP keeps nanoseconds"},
	{"TIMESTAMP", "2024-03-01 12:34:56.1234567", otherValue, "TIMESTAMP keeps nanoseconds"},
	{"TIMESTAMP", "2024-03-01 12:34:56.123456789", otherValue, "TIMESTAMP keeps nanoseconds"},
	{"TIMESTAMP", "2024-03-01 12:34:56z", onlyPareReads, "offsets are read wherever they are clear"},
	{"TIMESTAMP", "2024-03-01 12:34:56 Z", onlyPareReads, "offsets are read wherever they are clear"},
	{"TIMESTAMP", "2024-03-01 12:34:56+02", otherValue, "an offset is converted, DuckDB drops it"},
	{"TIMESTAMP", "2024-03-01 12:34:56 +02", onlyPareReads, "offsets are read wherever they are clear"},
	{"TIMESTAMP", "2024-03-01 12:34:56+02:00", otherValue, "an offset is converted, DuckDB drops it"},
	{"TIMESTAMP", "2024-03-01 12:34:56+0200", otherValue, "an offset is converted, DuckDB drops it"},
	{"TIMESTAMP", "2024-03-01 12:34:56-05:30", otherValue, "an offset is converted, DuckDB drops it"},
	{"TIMESTAMP", "2024-03-01 12:34:56+2", onlyPareReads, "offsets are read wherever they are clear"},
	{"TIMESTAMP", "2024/03/01 12:34:56", onlyDuckDBReads, "dates are written year-month-day"},
	{"TIMESTAMP", "294247-01-10 04:00:54.775807", onlyPareReads, "timestamps have no end; the literal lies above the column"},
	{"TIMESTAMP", "294248-01-01", onlyPareReads, "timestamps have no end; the literal lies above the column"},
	{"TIMESTAMP", "290309-12-22 (BC) 00:00:00", onlyDuckDBReads, "years before 1 are written -0043"},
	{"TIMESTAMP", "infinity", onlyDuckDBReads, "no words for timestamps"},
	{"TIMESTAMP", "epoch", onlyDuckDBReads, "no words for timestamps"},
	{"TIMESTAMPTZ", "2024-03-01 12:34:56 +02:00", onlyPareReads, "offsets are read wherever they are clear"},
	{"TIMESTAMPTZ", "2024-03-01 12:34:56+16", onlyDuckDBReads, "offsets are at most 15:59, in minutes"},
	{"TIMESTAMPTZ", "2024-03-01 12:34:56+02:60", onlyDuckDBReads, "offsets are at most 15:59, in minutes"},
	{"TIMESTAMPTZ", "2024-03-01 12:34:56+02:00:30", onlyDuckDBReads, "offsets are at most 15:59, in minutes"},
	{"TIMESTAMPTZ", "2024-03-01 12:34:56 Europe/Berlin", onlyDuckDBReads, "no names of zones: their rules change"},
	{"TIMESTAMP_S", "2024-03-01 12:34:56.9", otherValue, "the TIMESTAMP types differ in name only, DuckDB rounds"},
	{"TIMESTAMP_MS", "2024-03-01 12:34:56.1239", otherValue, "the TIMESTAMP types differ in name only, DuckDB rounds"},
	{"TIMESTAMP_NS", "2262-04-11 23:47:16.854775808", onlyPareReads, "timestamps have no end; the literal lies above the column"},
	{"TIMESTAMP_NS", "3000-01-01", onlyPareReads, "timestamps have no end; the literal lies above the column"},
	{"BOOLEAN", "y", onlyDuckDBReads, "fewer words for booleans"},
	{"BOOLEAN", "n", onlyDuckDBReads, "fewer words for booleans"},
	{"BOOLEAN", " true ", onlyPareReads, "blanks around words are left out"},
	{"INTEGER", "1_000", onlyDuckDBReads, "numbers in strings are plain"},
	{"INTEGER", "0x10", onlyDuckDBReads, "numbers in strings are plain"},
	{"INTEGER", "0b11", onlyDuckDBReads, "numbers in strings are plain"},
	{"DECIMAL(5,2)", "1_0", onlyDuckDBReads, "numbers in strings are plain"},
	{"DECIMAL(39,0)", "0", onlyPareReads, "the width of a DECIMAL is at most 76, and not checked otherwise"},
	{"DOUBLE", "1_000", onlyDuckDBReads, "numbers in strings are plain"},
	{"BLOB", `\XAA`, onlyPareReads, `\X is \x`},
	{"BLOB", "é", onlyPareReads, "bytes beyond ASCII stand for themselves"},
	{"UUID", "{00000000-0000-0000-0000-000000000001", onlyPareReads, "braces and blanks around are left out"},
	{"UUID", " 00000000-0000-0000-0000-000000000001", onlyPareReads, "braces and blanks around are left out"},
}
