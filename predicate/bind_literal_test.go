package predicate

import (
	"math"
	"testing"

	"github.com/parequet/pare/metadata"
)

// TestIntegersMeetLiterals: a literal that does not fit an integer column
// becomes the right open, empty or full set.
func TestIntegersMeetLiterals(t *testing.T) {
	runBind(t, schemaOf(typedColumns()...), []bindCase{
		{"i64 = 1.5", "FALSE"},
		{"i64 <> 1.5", "i64 IS NOT NULL"},
		{"i64 < 1.5", "i64 <= 1"},
		{"i64 <= 1.5", "i64 <= 1"},
		{"i64 > 1.5", "i64 >= 2"},
		{"i64 >= 1.5", "i64 >= 2"},
		{"i64 > -1.5", "i64 >= -1"},
		{"i64 <= -1.5", "i64 <= -2"},
		{"i64 BETWEEN 1.5 AND 1.9", "FALSE"},
		{"i64 IN (1.5, 2.0)", "i64 = 2"},
		{"i64 NOT IN (1.5, 2.0)", "i64 <= 1 OR i64 >= 3"},
		{"i64 = 5e0", "i64 = 5"},
		{"i64 = '5'", "i64 = 5"},
		{"i64 = ' 5 '", "i64 = 5"},
		{"i64 > '-inf'", "i64 IS NOT NULL"},
		{"i64 = 'nan'", "FALSE"},
		{"i64 > 'nan'", "FALSE"},
		{"i64 >= -9223372036854775808", "i64 IS NOT NULL"},
		{"i64 > 9223372036854775808", "FALSE"},
		{"i64 = 9223372036854775807", "i64 = 9223372036854775807"},
		{"i64 < -9223372036854775808.5", "FALSE"},
		{"i64 <= -9223372036854775807.5", "i64 = -9223372036854775808"},
		{"u64 > -1", "u64 IS NOT NULL"},
		{"u64 = -1", "FALSE"},
		{"u64 <> -1", "u64 IS NOT NULL"},
		{"u64 <= -0.5", "FALSE"},
		{"u64 >= -0.5", "u64 IS NOT NULL"},
		{"u64 > 18446744073709551615", "FALSE"},
		{"u64 = 18446744073709551615", "u64 = 18446744073709551615"},
		{"u64 > 9223372036854775807", "u64 >= 9223372036854775808"},
		{"u32 > 2147483648", "u32 >= 2147483649"},
		{"u32 = 4294967296", "FALSE"},
		{"u8 = 300", "FALSE"},
		{"u8 <> 300", "u8 IS NOT NULL"},
		{"u8 > 300", "FALSE"},
		{"u8 < -1", "FALSE"},
		{"u8 > -1", "u8 IS NOT NULL"},
		{"i32 = 2147483648", "FALSE"},
		{"i64 = CAST('7' AS INTEGER)", "i64 = 7"},
		{"i64 = 4.5::INTEGER", "i64 = 5"},
		{"i64 = -4.5::INTEGER", "i64 = -5"},
		{"i64 = 4.5::DOUBLE::INTEGER", "i64 = 4"},
		{"i64 = TRUE::INTEGER", "i64 = 1"},
		{"i64 = '1_000'", "bind: '1_000' is not a number, as column i64 holds (line 1, column 7)"},
		{"i64 = 1_000", "i64 = 1000"},
		{"i64 = TRUE", "bind: column i64 holds a number, it cannot be compared with a boolean (line 1, column 7)"},
		{"i64 = DATE '2024-03-01'", "bind: column i64 holds a number, it cannot be compared with a date (line 1, column 7)"},
	})
}

// TestLiteralsBeyondTheColumn: what holds for every value of a narrow type is
// a tautology, and what holds for none is FALSE, on either side of its range.
func TestLiteralsBeyondTheColumn(t *testing.T) {
	runBind(t, schemaOf(typedColumns()...), []bindCase{
		{"i64 < 1e300", "i64 IS NOT NULL"},
		{"i64 < 'inf'", "i64 IS NOT NULL"},
		{"i64 < 'nan'", "i64 IS NOT NULL"},
		{"i64 <= 9223372036854775807", "i64 IS NOT NULL"},
		{"i64 < 9223372036854775808", "i64 IS NOT NULL"},
		{"u64 < 18446744073709551616", "u64 IS NOT NULL"},
		{"i8 > 127.5", "FALSE"},
		{"ts_ns < TIMESTAMP '2300-01-01 00:00:00'", "ts_ns IS NOT NULL"},
		{"dec9 < 1e300", "dec9 IS NOT NULL"},
		{"decb > 'inf'", "FALSE"},
		{"u8 < 300", "u8 IS NOT NULL"},
		{"u8 <= 255", "u8 IS NOT NULL"},
		{"u8 > 255", "FALSE"},
		{"u8 >= 0", "u8 IS NOT NULL"},
		{"u8 < 0", "FALSE"},
		{"i8 >= -128", "i8 IS NOT NULL"},
		{"i32_r < 3000000000", "TRUE"},
		{"i32_r > 2147483647", "FALSE"},
		{"b <> TRUE", "b = FALSE"},
		{"NOT b", "b = FALSE"},
		{"b IS NOT TRUE", "b = FALSE OR b IS NULL"},
		{"b > TRUE", "FALSE"},
		{"b < FALSE", "FALSE"},
		{"b >= FALSE", "b IS NOT NULL"},
		{"b IN (TRUE, FALSE)", "b IS NOT NULL"},
		{"d < DATE '5999999-01-01'", "d IS NOT NULL"},
		{"dec38 < 'inf'", "dec38 IS NOT NULL"},
		{"s >= ''", "s IS NOT NULL"},
		{"s LIKE '%'", "s IS NOT NULL"},
		{"s_r LIKE '%%'", "TRUE"},
		{"s NOT LIKE '%'", "FALSE"},
	})
}

func TestFloatsMeetLiterals(t *testing.T) {
	runBind(t, schemaOf(typedColumns()...), []bindCase{
		{"f64 = 1.5", "f64 = 1.5"},
		{"f64 = -0.0", "f64 = 0"},
		{"f64 <> 1.5", "f64 < 1.5 OR f64 > 1.5"},
		{"f64 > 1.5", "f64 > 1.5"},
		{"f64 < 1.5", "f64 < 1.5"},
		{"f64 = 'nan'", "f64 = 'nan'"},
		{"f64 >= 'NaN'", "f64 = 'nan'"},
		{"f64 > 'NaN'", "FALSE"},
		{"f64 <= 'NaN'", "f64 IS NOT NULL"},
		{"f64_r <= 'NaN'", "TRUE"},
		{"f64 IN ('nan', 1)", "f64 = 1 OR f64 = 'nan'"},
		{"f64 NOT IN ('nan', 1)", "f64 < 1 OR f64 > 1 AND f64 < 'nan'"},
		{"f64 = 'nan' AND f64 > 5", "f64 = 'nan'"},
		{"f64 = 'inf'", "f64 = 'inf'"},
		{"f64 = -inf", "f64 = '-inf'"},
		{"f64 > 'infinity'", "f64 > 'inf'"},
		{"f32 = 0.1", "f32 = 0.1"},
		{"f32 = 16777217", "f32 = 16777216"},
		{"f32 = '1.5'", "f32 = 1.5"},
		{"f16 = 1.5", "f16 = 1.5"},
		{"f64 = 1.5::DECIMAL(5,1)", "f64 = 1.5"},
		{"f64 = 1e308", "f64 = 1e+308"},
		{"f64 = TRUE", "bind: column f64 holds a number, it cannot be compared with a boolean (line 1, column 7)"},
		{"f64 = 'abc'", "bind: 'abc' is not a number, as column f64 holds (line 1, column 7)"},
	})
}

func TestTimesMeetLiterals(t *testing.T) {
	runBind(t, schemaOf(typedColumns()...), []bindCase{
		{"d = DATE '2024-02-29'", "d = DATE '2024-02-29'"},
		{"d > '2024-02-29'", "d >= DATE '2024-03-01'"},
		{"d > TIMESTAMP '2024-02-29 12:00:00'", "d >= DATE '2024-03-01'"},
		{"d >= TIMESTAMP '2024-02-29 00:00:00'", "d >= DATE '2024-02-29'"},
		{"d = TIMESTAMP '2024-02-29 12:00:00'", "FALSE"},
		{"d <= TIMESTAMP '2024-02-29 12:00:00'", "d <= DATE '2024-02-29'"},
		{"d < TIMESTAMP '2024-02-29 12:00:00'", "d <= DATE '2024-02-29'"},
		{"d = CAST('2024-02-29 12:00:00' AS DATE)", "d = DATE '2024-02-29'"},
		{"d = '2024-02-29'::TIMESTAMP::DATE", "d = DATE '2024-02-29'"},
		{"d < DATE '-0044-03-15'", "d <= DATE '-044-03-14'"},
		{"ts_ms = DATE '2024-03-01'", "ts_ms = TIMESTAMP '2024-03-01 00:00:00'"},
		{"ts_ms >= DATE '2024-03-01' AND ts_ms < DATE '2024-03-02'",
			"ts_ms >= TIMESTAMP '2024-03-01 00:00:00' AND ts_ms <= TIMESTAMP '2024-03-01 23:59:59.999'"},
		{"ts_ms = TIMESTAMP '2024-03-01 00:00:00.0015'", "FALSE"},
		{"ts_ms > TIMESTAMP '2024-03-01 00:00:00.0015'", "ts_ms >= TIMESTAMP '2024-03-01 00:00:00.002'"},
		{"ts_ms < TIMESTAMP '2024-03-01 00:00:00.000000001'", "ts_ms <= TIMESTAMP '2024-03-01 00:00:00'"},
		{"ts_ms > TIMESTAMP '1969-12-31 23:59:59.9985'", "ts_ms >= TIMESTAMP '1969-12-31 23:59:59.999'"},
		{"ts_us = TIMESTAMP '2024-03-01T12:34:56.000001'", "ts_us = TIMESTAMP '2024-03-01 12:34:56.000001'"},
		{"ts_us = '2024-03-01 12:34'", "ts_us = TIMESTAMP '2024-03-01 12:34:00'"},
		{"ts_ns = TIMESTAMP '2024-03-01 12:34:56.123456789'", "ts_ns = TIMESTAMP '2024-03-01 12:34:56.123456789'"},
		{"ts_ns > TIMESTAMP '1600-01-01 00:00:00'", "ts_ns IS NOT NULL"},
		{"ts_ns = TIMESTAMP '2300-01-01 00:00:00'", "FALSE"},
		{"ts_us = TIMESTAMPTZ '2024-03-01 02:00:00+02:00'", "ts_us = TIMESTAMP '2024-03-01 00:00:00'"},
		{"ts_us = TIMESTAMPTZ '2024-02-29 22:30:00-0130'", "ts_us = TIMESTAMP '2024-03-01 00:00:00'"},
		{"ts_us_r IS NULL", "FALSE"},
		{"i96 > TIMESTAMP '2024-03-01 00:00:00'", "i96 >= TIMESTAMP '2024-03-01 00:00:00.000001'"},
		{"t_ms = TIME '12:00:00.0005'", "FALSE"},
		{"t_ms < TIME '12:00:00.0005'", "t_ms <= TIME '12:00:00'"},
		{"t_us >= '23:59:59.999999'", "t_us >= TIME '23:59:59.999999'"},
		{"t_ns = TIME '00:00:00.000000001'", "t_ns = TIME '00:00:00.000000001'"},
		{"t_us = 5", "bind: column t_us holds a time, it cannot be compared with a number (line 1, column 8)"},
		{"t_us = TIMESTAMP '2024-03-01 00:00:00'", "bind: column t_us holds a time, it cannot be compared with a timestamp (line 1, column 8)"},
		{"d = 'yesterday'", "bind: 'yesterday' is not a date, as column d holds (line 1, column 5)"},
		{"d = 20240301", "bind: column d holds a date, it cannot be compared with a number (line 1, column 5)"},
		{"iv = '1 day'", "bind: '1 day' is not a binary value, as column iv holds (line 1, column 6)"},
		{"iv = '1'", "bind: values of column iv (FIXED_LEN_BYTE_ARRAY(12) INTERVAL) cannot be compared (line 1, column 6)"},
	})
}

func TestDecimalsMeetLiterals(t *testing.T) {
	runBind(t, schemaOf(typedColumns()...), []bindCase{
		{"dec18 = 1.5", "dec18 = 1.50"},
		{"dec18 = 1.005", "FALSE"},
		{"dec18 > 1.005", "dec18 >= 1.01"},
		{"dec18 <= 1.005", "dec18 <= 1.00"},
		{"dec18 < -1.005", "dec18 <= -1.01"},
		{"dec18 >= -1.005", "dec18 >= -1.00"},
		{"dec18 = 1.005::DECIMAL(18,2)", "dec18 = 1.01"},
		{"dec9 = -0.05", "dec9 = -0.05"},
		{"dec9 = '1.50'", "dec9 = 1.50"},
		{"dec38 = 12345678901234567890.0123456789", "dec38 = 12345678901234567890.0123456789"},
		{"dec38 > 1", "dec38 >= 1.0000000001"},
		{"dec38 <> 0", "dec38 <= -0.0000000001 OR dec38 >= 0.0000000001"},
		{"decb > 12345678901234567890", "decb >= 12345678901234567891"},
		{"decb = 0.5", "FALSE"},
		{"decb >= -128 AND decb < -126", "decb >= -128 AND decb <= -127"},
		{"dec18 = 1e-1", "dec18 = 0.10"},
		{"dec18 = 'x'", "bind: 'x' is not a number, as column dec18 holds (line 1, column 9)"},
		{"dec18 = TRUE", "bind: column dec18 holds a number, it cannot be compared with a boolean (line 1, column 9)"},
	})
}

func TestBytesMeetLiterals(t *testing.T) {
	runBind(t, schemaOf(typedColumns()...), []bindCase{
		{"s = 'it''s'", "s = 'it''s'"},
		{"s = ''", "s = ''"},
		{"'m' <= s", "s >= 'm'"},
		{"'m' > s", "s < 'm'"},
		{"s IN ('b', 'a')", "s IN ('a', 'b')"},
		{"s = 'Ж🙂'", "s = 'Ж🙂'"},
		{`bin = '\xAA\x00'::BLOB`, `bin = '\xAA\x00'`},
		{`bin = '\xaa'`, `bin = '\xAA'`},
		{`bin = BLOB 'ab'`, `bin = 'ab'`},
		{`bin = CAST('ab' AS BYTEA)`, `bin = 'ab'`},
		{`bin > '\xFF'::BLOB`, `bin > '\xFF'`},
		{`s = 'a'::BLOB`, `s = 'a'`},
		{"id = '00112233-4455-6677-8899-AABBCCDDEEFF'", "id = UUID '00112233-4455-6677-8899-aabbccddeeff'"},
		{"id = UUID '00112233445566778899aabbccddeeff'", "id = UUID '00112233-4455-6677-8899-aabbccddeeff'"},
		{"id > '{00112233-4455-6677-8899-aabbccddeeff}'::UUID", "id > UUID '00112233-4455-6677-8899-aabbccddeeff'"},
		{"id = 'abc'", "bind: 'abc' is not a UUID, as column id holds (line 1, column 6)"},
		{"s = 5", "bind: column s holds a string, it cannot be compared with a number (line 1, column 5)"},
		{"s", "bind: column s holds a string, it cannot be compared with a boolean (line 1, column 1)"},
		{`bin = '\xA'`, `bind: '\xA' is not a binary value, as column bin holds (line 1, column 7)`},
		{"i64 LIKE 'a'", "bind: LIKE needs a string column, i64 is INT64 (line 1, column 1)"},
		{"id LIKE 'a%'", "bind: LIKE needs a string column, id is FIXED_LEN_BYTE_ARRAY(16) UUID (line 1, column 1)"},
	})
}

// TestCastsToText: a cast to VARCHAR gives the value's text, not the source's.
func TestCastsToText(t *testing.T) {
	runBind(t, schemaOf(typedColumns()...), []bindCase{
		{"s = 5::VARCHAR", "s = '5'"},
		{"s = 5.50::VARCHAR", "s = '5.50'"},
		{"s = 'a'::VARCHAR", "s = 'a'"},
		{"s = - 5::VARCHAR", "s = '-5'"},
		{"s = '1'::INTEGER::VARCHAR", "s = '1'"},
		{"s = CAST(DATE '2024-03-01' AS VARCHAR)", "s = '2024-03-01'"},
		{"s = TIME '12:00:00'::VARCHAR", "s = '12:00:00'"},
		{"s = TIMESTAMP '2024-03-01 12:00:00'::TEXT", "s = '2024-03-01 12:00:00'"},
		{"s = TRUE::VARCHAR", "s = 'true'"},
		{"s = 'ab'::BLOB::VARCHAR", "s = 'ab'"},
	})
}

// TestRoundedLiterals: a literal that a column cannot hold is not rounded onto
// one of its values, and one that it can hold is found however it is written.
func TestRoundedLiterals(t *testing.T) {
	const huge = "10000000000000000000000000000000000000000" // 1e40, above every FLOAT but infinity
	schema := schemaOf(typedColumns()...)
	tenth, inf := metadata.FloatValue(float64(float32(0.1))), metadata.FloatValue(math.Inf(1))
	for _, c := range []struct {
		text  string
		value metadata.Value
		want  bool
	}{
		{"f32 = 0.1", tenth, true},
		{"f32 = 1e-1", tenth, false}, // a DOUBLE that no FLOAT equals
		{"f32 < 1e-1", tenth, false},
		{"f32 > 1e-1", tenth, true},
		{"f32 = '0.1'", tenth, true},
		{"f32 = '1e-1'", tenth, true}, // a string takes the column's type, however it is written
		{"f32 = 0.1::FLOAT", tenth, true},
		{"f32 > 1e40", inf, true},
		{"f32 = " + huge, inf, false},
		{"f32 > " + huge, inf, true},
		{"f32 <= " + huge, inf, false},
		{"f32 >= -" + huge, metadata.FloatValue(math.Inf(-1)), false},
		{"dec18 = 0.1", metadata.IntValue(10), true},
		{"dec18 = 1e-1", metadata.IntValue(10), true},
		{"dec18 = 0.1::DOUBLE", metadata.IntValue(10), true},
		{"dec18 = 0.5::DOUBLE", metadata.IntValue(50), true},
	} {
		if got := passes(mustBind(t, c.text, schema).Root, func(*metadata.Column) *metadata.Value { return &c.value }); got != c.want {
			t.Errorf("%s of %v: %v, want %v", c.text, c.value, got, c.want)
		}
	}
	x := Col("dec18").Eq(0.1)
	b, err := Bind(x, schema)
	if err != nil {
		t.Fatal(err)
	}
	ten := metadata.IntValue(10)
	if !passes(b.Root, func(*metadata.Column) *metadata.Value { return &ten }) {
		t.Errorf("%v, made by a builder of a float64, does not hold for 0.10: bound to %v", x, b)
	}
}

// TestRenderTellsSetsApart: predicates that differ are not shown as the same.
func TestRenderTellsSetsApart(t *testing.T) {
	schema := schemaOf(typedColumns()...)
	for _, c := range [][2]string{
		{"f64 < 'nan'", "f64 IS NOT NULL"},
		{"f64 < 'nan' OR f64 IS NULL", "f64 IS NULL"},
		{"f64 > 5 AND f64 < 'nan'", "f64 > 5"},
		{"f32 = 1e-1", "f32 = 0.1"},
		{"b < FALSE", "b <= TRUE"},
		{"b > TRUE", "b >= TRUE"},
	} {
		if a, b := bindString(t, c[0], schema), bindString(t, c[1], schema); a == b {
			t.Errorf("%s and %s are both shown as %s", c[0], c[1], a)
		}
	}
}
