package predicate

import (
	"strings"
	"testing"
)

// TestClauses covers the dialect clause by clause.
func TestClauses(t *testing.T) {
	runBind(t, schemaOf(typedColumns()...), []bindCase{
		{"i64 = 5", "i64 = 5"},
		{"i64 == 5", "i64 = 5"},
		{"i64 <> 5", "i64 <= 4 OR i64 >= 6"},
		{"i64 != 5", "i64 <= 4 OR i64 >= 6"},
		{"i64 < 5", "i64 <= 4"},
		{"i64 <= 5", "i64 <= 5"},
		{"i64 > 5", "i64 >= 6"},
		{"i64 >= 5", "i64 >= 5"},
		{"i64>-5", "i64 >= -4"},
		{"i64 > + 5", "i64 >= 6"},
		{"i64 BETWEEN 3 AND 7", "i64 >= 3 AND i64 <= 7"},
		{"i64 NOT BETWEEN 3 AND 7", "i64 <= 2 OR i64 >= 8"},
		{"i64 BETWEEN 7 AND 3", "FALSE"},
		{"i64 BETWEEN 3 AND 7 AND b", "i64 >= 3 AND i64 <= 7 AND b = TRUE"},
		{"i64 IN (5)", "i64 = 5"},
		{"i64 IN (7, 1, 5, 1)", "i64 IN (1, 5, 7)"},
		{"i64 IN (1, 2, 3)", "i64 >= 1 AND i64 <= 3"},
		{"i64 NOT IN (1, 3)", "i64 <= 0 OR i64 >= 4 OR i64 = 2"},
		{"s LIKE 'a%'", "s >= 'a' AND s < 'b'"},
		{"s NOT LIKE 'a%'", "s < 'a' OR s >= 'b'"},
		{"s LIKE 'abc'", "s = 'abc'"},
		{"s LIKE ''", "s = ''"},
		{"s NOT LIKE 'abc'", "s < 'abc' OR s > 'abc'"},
		{"s LIKE 'a%c'", "s LIKE 'a%c'"},
		{"s LIKE '%x%'", "s LIKE '%x%'"},
		{"s NOT LIKE '%x%'", "s NOT LIKE '%x%'"},
		{"NOT s LIKE '%x%'", "s NOT LIKE '%x%'"},
		{"s LIKE '50!%%' ESCAPE '!'", "s >= '50%' AND s < '50&'"},
		{"s LIKE 'a_b' ESCAPE '!'", "s LIKE 'a_b' ESCAPE '!'"},
		{"s LIKE 'é%'", "s >= 'é' AND s < 'ê'"},
		{"bin LIKE 'a%'", "bin >= 'a' AND bin < 'b'"},
		{"i64 IS NULL", "i64 IS NULL"},
		{"i64 IS NOT NULL", "i64 IS NOT NULL"},
		{"iv IS NOT NULL", "iv IS NOT NULL"},
		{"i96 IS NULL", "i96 IS NULL"},
		{"i64 IS DISTINCT FROM 5", "i64 <= 4 OR i64 >= 6 OR i64 IS NULL"},
		{"i64 IS NOT DISTINCT FROM 5", "i64 = 5"},
		{"NOT i64 IS DISTINCT FROM 5", "i64 = 5"},
		{"NOT i64 IS NOT DISTINCT FROM 5", "i64 <= 4 OR i64 >= 6 OR i64 IS NULL"},
		{"b", "b = TRUE"},
		{"b = TRUE", "b = TRUE"},
		{"b IS TRUE", "b = TRUE"},
		{"b IS FALSE", "b = FALSE"},
		{"b = 'yes'", "b = TRUE"},
		{"b = 0", "b = FALSE"},
		{"TRUE", "TRUE"},
		{"FALSE", "FALSE"},
		{"NULL", "FALSE"},
		{"NOT NULL", "FALSE"},
		{"NOT FALSE", "TRUE"},
		{"TRUE AND i64 = 1", "i64 = 1"},
		{"FALSE OR i64 = 1", "i64 = 1"},
		{"i64 = 1 OR TRUE", "TRUE"},
		{"NULL OR i64 = 1", "i64 = 1"},
		{"NOT (NULL AND i64 = 1)", "i64 <= 0 OR i64 >= 2"},
	})
}

func TestPrecedenceAndNegation(t *testing.T) {
	runBind(t, schemaOf(typedColumns()...), []bindCase{
		{"i8 = 1 OR i32 = 2 AND i64 = 3", "i8 = 1 OR (i32 = 2 AND i64 = 3)"},
		{"(i8 = 1 OR i32 = 2) AND i64 = 3", "(i8 = 1 OR i32 = 2) AND i64 = 3"},
		{"NOT i8 = 1 AND i32 = 2", "(i8 <= 0 OR i8 >= 2) AND i32 = 2"},
		{"NOT (i8 = 1 AND i32 = 2)", "(i8 <= 0 OR i8 >= 2) OR (i32 <= 1 OR i32 >= 3)"},
		{"NOT (i8 > 1 OR i32 < 2)", "i8 <= 1 AND i32 >= 2"},
		{"NOT NOT i8 > 1", "i8 >= 2"},
		{"not Not nOT i8 > 1", "i8 <= 1"},
		{"NOT (NOT (i8 > 1))", "i8 >= 2"},
		{"NOT i8 IS NULL", "i8 IS NOT NULL"},
		{"NOT (i8 IS NULL OR s = 'x')", "i8 IS NOT NULL AND (s < 'x' OR s > 'x')"},
		{"NOT i8 IN (1, 2)", "i8 <= 0 OR i8 >= 3"},
		{"NOT i8 BETWEEN 1 AND 2 OR b", "(i8 <= 0 OR i8 >= 3) OR b = TRUE"},
		{"((i8)) > ((1))", "i8 >= 2"},
		{"(((i8 > 1)))", "i8 >= 2"},
		{"(i8) IN ((1), (3))", "i8 IN (1, 3)"},
		{"i8 = 1 AND (i32 = 2 AND (i64 = 3 AND b))", "i8 = 1 AND i32 = 2 AND i64 = 3 AND b = TRUE"},
	})
}

func TestNullLiterals(t *testing.T) {
	runBind(t, schemaOf(typedColumns()...), []bindCase{
		{"i64 = NULL", "FALSE"},
		{"i64 <> NULL", "FALSE"},
		{"NOT i64 = NULL", "FALSE"},
		{"NULL < i64", "FALSE"},
		{"i64 IN (NULL)", "FALSE"},
		{"i64 IN (1, NULL)", "i64 = 1"},
		{"i64 NOT IN (1, NULL)", "FALSE"},
		{"NOT i64 NOT IN (1, NULL)", "i64 = 1"},
		{"i64 BETWEEN NULL AND 5", "FALSE"},
		{"i64 NOT BETWEEN NULL AND 5", "i64 >= 6"},
		{"i64 NOT BETWEEN 5 AND NULL", "i64 <= 4"},
		{"i64 NOT BETWEEN NULL AND NULL", "FALSE"},
		{"s LIKE NULL", "FALSE"},
		{"s NOT LIKE NULL", "FALSE"},
		{"i64 = NULL::INTEGER", "FALSE"},
		{"i64 = CAST(NULL AS VARCHAR)", "FALSE"},
		{"i64 IS DISTINCT FROM NULL", "i64 IS NOT NULL"},
		{"i64 IS NOT DISTINCT FROM NULL", "i64 IS NULL"},
		{"i64_r IS NULL", "FALSE"},
		{"i64_r IS NOT NULL", "TRUE"},
		{"i64_r IS DISTINCT FROM NULL", "TRUE"},
		{"i64_r IS DISTINCT FROM 5", "i64_r <= 4 OR i64_r >= 6"},
	})
}

// TestMerging: leaves of one column become one set under AND and OR.
func TestMerging(t *testing.T) {
	runBind(t, schemaOf(typedColumns()...), []bindCase{
		{"i64 > 4 AND i64 < 5", "FALSE"},
		{"i64 > 4 AND i64 < 6", "i64 = 5"},
		{"i64 > 4 AND b AND i64 < 5", "FALSE"},
		{"f64 > 4 AND f64 < 5", "f64 > 4 AND f64 < 5"},
		{"f64 > 4 AND f64 < 4", "FALSE"},
		{"f64 > 4 AND f64 <= 4", "FALSE"},
		{"d > DATE '2024-03-01' AND d < DATE '2024-03-02'", "FALSE"},
		{"ts_ms > TIMESTAMP '2024-03-01 00:00:00' AND ts_ms < TIMESTAMP '2024-03-01 00:00:00.001'", "FALSE"},
		{"dec18 > 1.00 AND dec18 < 1.01", "FALSE"},
		{"dec38 > 1 AND dec38 < 1.0000000001", "FALSE"},
		{"u64 > 4 AND u64 < 5", "FALSE"},
		{"s > 'a' AND s < 'a'", "FALSE"},
		{"i64 = 1 AND i64 = 2", "FALSE"},
		{"i64 IS NULL AND i64 = 2", "FALSE"},
		{"i64 IS NULL AND i64 IS NOT NULL", "FALSE"},
		{"i64 IS NULL OR i64 IS NOT NULL", "TRUE"},
		{"i64 = 1 OR i64 <> 1", "i64 IS NOT NULL"},
		{"i64_r = 1 OR i64_r <> 1", "TRUE"},
		{"i64_r < 5 OR i64_r >= 5", "TRUE"},
		{"f64_r < 5 OR f64_r >= 5", "TRUE"},
		{"f64_r < 5 OR f64_r > 5", "f64_r < 5 OR f64_r > 5"},
		{"i64 = 1 OR i64 = 2 OR i64 = 3", "i64 >= 1 AND i64 <= 3"},
		{"i64 = 1 OR s = 'x' OR i64 = 5", "i64 IN (1, 5) OR s = 'x'"},
		{"i64 = 5 OR i64 IS NULL", "i64 = 5 OR i64 IS NULL"},
		{"(i64 > 1 AND i64 < 5) OR (i64 > 3 AND i64 < 9)", "i64 >= 2 AND i64 <= 8"},
		{"(i64 < 3 OR i64 > 7) AND i64 BETWEEN 0 AND 8", "i64 >= 0 AND i64 <= 2 OR i64 = 8"},
		{"(i64 = 1 OR b) AND i64 = 2", "(i64 = 1 OR b = TRUE) AND i64 = 2"},
		{"(i64 = 1 AND i64 = 2) OR b", "b = TRUE"},
		{"s LIKE 'a%' AND s LIKE 'ab%'", "s >= 'ab' AND s < 'ac'"},
		{"s LIKE 'a%' AND s LIKE 'b%'", "FALSE"},
		{"s LIKE 'a%' AND s NOT LIKE 'a%'", "FALSE"},
		{"i64_r > 9223372036854775807", "FALSE"},
		{"u64_r >= 0", "TRUE"},
		{"u64_r < 0", "FALSE"},
	})
}

// TestNames covers quoted names, soft keywords and the lookup of names.
func TestNames(t *testing.T) {
	soft := schemaOf(column("date", 1, 0, kind(6)), column("time", 2, 0, timed(7, 2, true)), column("timestamp", 2, 0, timed(8, 2, true)),
		column("cast", 2, 0, integer(64, true)), column("values", 2, 0, integer(64, true)), column("escape", 6, 0, kind(1)),
		column("Order", 2, 0, integer(64, true)), column(`a "quoted" name`, 2, 0, integer(64, true)), column("größe", 2, 0, integer(64, true)))
	runBind(t, soft, []bindCase{
		{"date = DATE '2024-03-01'", "date = DATE '2024-03-01'"},
		{"date = '2024-03-01'", "date = DATE '2024-03-01'"},
		{"DATE '2024-03-01' < date", "date >= DATE '2024-03-02'"},
		{"date BETWEEN date '2024-03-01' AND date '2024-03-02'", "date >= DATE '2024-03-01' AND date <= DATE '2024-03-02'"},
		{"time > TIME '12:00:00'", "time >= TIME '12:00:00.000001'"},
		{"timestamp <= TIMESTAMP '2024-03-01 00:00:00'", "timestamp <= TIMESTAMP '2024-03-01 00:00:00'"},
		{"timestamp = TIMESTAMP WITH TIME ZONE '2024-03-01 02:00:00+02:00'", "timestamp = TIMESTAMP '2024-03-01 00:00:00'"},
		{"timestamp = TIMESTAMPTZ '2024-03-01 02:00:00+02:00'", "timestamp = TIMESTAMP '2024-03-01 00:00:00'"},
		{"cast = CAST('5' AS BIGINT)", "cast = 5"},
		{"cast IN (1) AND values IS NOT NULL", "cast = 1 AND values IS NOT NULL"},
		{"escape LIKE 'a!_' ESCAPE '!'", "escape = 'a_'"},
		{`"Order" = 1`, "Order = 1"},
		{`"order" = 1`, "Order = 1"},
		{`"a ""quoted"" name" = 1`, `a "quoted" name = 1`},
		{"größe = 1", "größe = 1"},
		{"GRÖSSE = 1", "bind: unknown column GRÖSSE (line 1, column 1); did you mean größe?"},
		{"DATE IS NULL", "date IS NULL"},
		{"order = 1", "parse: expected a column or a literal, found order (line 1, column 1); pare reads; give its Arrow output to an engine for the rest"},
	})
	twins := schemaOf(column("Name", 6, 0, kind(1)), column("NAME", 6, 0, kind(1)), column("city", 6, 0, kind(1)), column("amount", 5, 0, kind(0)))
	runBind(t, twins, []bindCase{
		{"Name = 'x'", "Name = 'x'"},
		{"NAME = 'x'", "NAME = 'x'"},
		{"name = 'x'", "bind: column name is ambiguous (line 1, column 1); it may be Name or NAME"},
		{"CITY = 'x'", "city = 'x'"},
		{"TRUE AND amout = 1", "bind: unknown column amout (line 1, column 10); did you mean amount?"},
		{"zzzzzzzzzzz = 1", "bind: unknown column zzzzzzzzzzz (line 1, column 1)"},
	})
}

// TestCommentsAndSpace: comments and white space mean nothing.
func TestCommentsAndSpace(t *testing.T) {
	schema := schemaOf(typedColumns()...)
	for _, text := range []string{
		"i64=5", " i64\t=\n5 ", "i64 = 5 -- the end", "-- first\ni64 = 5", "/* a */ i64 /* b\n */ = /**/ 5", "i64 = 5--", "i64 /*'*/ = 5 /*", "\u00a0i64 = 5",
	} {
		want := "i64 = 5"
		if strings.HasSuffix(text, "/*") {
			want = "parse: a comment is not closed (line 1, column 15)"
		}
		if got := bindString(t, text, schema); got != want {
			t.Errorf("%q: got %s, want %s", text, got, want)
		}
	}
}
