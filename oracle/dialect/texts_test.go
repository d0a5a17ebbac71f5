package dialect

// both are texts that both parsers accept. What they mean is compared, too, on
// the table of meaning_test.go.
var both = []string{
	// comparisons
	"i = 5", "i == 5", "i <> 5", "i != 5", "i < 5", "i <= 5", "i > 5", "i >= 5", "5 = i", "5 < i", "5 >= i", "i=5", "i\t=\n5", "I = 5",
	// numbers
	"i=-5", "i = - 5", "i = +5", "i = + 5", "i < 5.", "i > .5", "i < 5.5", "i < 5e0", "i < 1E-1", "i = 1_000", "i = 1.e1", "i > .5e1",
	"i < 123456789012345678901234567890", "i = '5'", "f = 0.1", "f = 1e-1", "r = 0.1", "r = 1e-1", "r = 0.1::FLOAT", "r < 0.1::DOUBLE",
	"dec = 1.23", "dec = 1.235", "dec > 1.235", "dec = 123e-2", "u8 > -1", "u8 < 300", "u8 = 255", "u8 <> 256",
	// parentheses and precedence
	"i = (5)", "(i) = 5", "((i)) = ((5))", "((i = 5))", "NOT i = 5", "NOT (i = 5)", "NOT NOT i = 5", "not i = 5",
	"i = 5 OR b AND i = 0", "(i = 5 OR b) AND i = 0", "NOT b AND i = 0", "NOT (b AND i = 0)", "b OR i < 3 AND NOT b OR s = 'a'", "i = 5 and b or not b",
	// booleans and NULL
	"b", "NOT b", "(b)", "b AND b", "b = TRUE", "b = true", "b <> FALSE", "b < TRUE", "b IS TRUE", "b IS NOT TRUE", "b IS FALSE", "b IS NOT FALSE", "NOT b IS TRUE",
	"NULL", "NOT NULL", "TRUE", "FALSE", "true AND i = 5", "NULL OR b", "NULL AND b", "NOT (NULL AND b)", "(NULL)",
	"i IS NULL", "i IS NOT NULL", "NOT i IS NULL", "i = NULL", "i <> NULL", "NULL = i", "NOT i = NULL",
	"i IS DISTINCT FROM 5", "i IS NOT DISTINCT FROM 5", "i IS NOT DISTINCT FROM NULL", "i IS DISTINCT FROM NULL", "NOT i IS DISTINCT FROM 5",
	// IN and BETWEEN
	"i IN (1)", "i IN (1, 5, NULL)", "i NOT IN (1, 5)", "i NOT IN (1, NULL)", "NOT i IN (1, 5)", "NOT i NOT IN (1, 5)", "i IN (-1, +5)", "i IN ((1), (5))", "(i) IN (1)",
	"s IN ('a', 'a%')", "i NOT IN (1) AND b", "i BETWEEN 1 AND 5", "i NOT BETWEEN 1 AND 5", "NOT i BETWEEN 1 AND 5", "i BETWEEN 1 AND 5 AND b",
	"i BETWEEN 1 AND 5 OR b", "i BETWEEN (1) AND (5)", "i BETWEEN 5 AND 1", "i BETWEEN NULL AND 5", "i NOT BETWEEN NULL AND 5", "i NOT BETWEEN 0 AND NULL",
	// LIKE and strings
	"s LIKE 'a%'", "s NOT LIKE 'a%'", "NOT s LIKE 'a%'", "s LIKE '%b'", "s LIKE '_'", "s LIKE '%_b_%'", "s LIKE ''", "s LIKE '%'", "s LIKE 'a!%' ESCAPE '!'",
	"s NOT LIKE 'a!%' ESCAPE '!'", `s LIKE 'a\%' ESCAPE '\'`, `s LIKE 'a\%'`, "s LIKE NULL", "s NOT LIKE NULL", "s LIKE ('a%')", "s LIKE 'a%'::VARCHAR", "s LIKE 'a%' AND b", "s like 'é%'",
	"s = 'it''s'", "s = ''", "s > 'a' AND s < 'b'", "s = 'a' AND s LIKE 'a' OR s IN ('a')", "s = VARCHAR 'a'", "s = 5.50::VARCHAR", "s >= '日本'",
	// names
	`"i" = 5`, `"I" = 5`, `"a""b" = 5`, "_i = 5", "i1 = 5", "é = 5", "日本 = 5", "i$ = 5", "year = 5", "key = 5", "value = 5", "type = 5", "date = 5", "row = 5", "values = 5", "st.x = 5", `"st"."x" = 5`, "st. x = 5",
	// dates and times
	"d = DATE '2024-03-01'", "d = date '2024-03-01'", "d = DATE'2024-03-01'", "d >= '2024-03-01'", "d = '2024-03-01'::DATE", "d = '2024-03-01'::date", "d = CAST('2024-03-01' AS DATE)", "d = cast('2024-03-01' as date)",
	"d < TIMESTAMP '2024-03-01 12:00:00'", "d = TIMESTAMP '2024-03-01 12:00:00'::DATE", "ts = TIMESTAMP '2024-03-01 12:00:00'", "ts = TIMESTAMP '2024-03-01'", "ts > DATE '2024-03-01'", "ts = DATETIME '2024-03-01 12:00:00'",
	"ts = TIMESTAMP '2024-03-01T12:00:00Z'", "ts = timestamp without time zone '2024-03-01 12:00:00'", "ts >= '2024-03-01'", "tz = TIMESTAMPTZ '2024-03-01 12:00:00+02:00'", "tz = TIMESTAMPTZ '2024-03-01 12:00:00+02'",
	"tz = TIMESTAMP WITH TIME ZONE '2024-03-01 12:00:00+02:00'", "tz = TIMESTAMP '2024-03-01 10:00:00'", "ts = TIMESTAMPTZ '2024-03-01 14:00:00+02'", "ns = TIMESTAMP_NS '2024-03-01 12:00:00.123456789'", "ns > TIMESTAMP '2024-03-01 12:00:00.123456'",
	"tm = TIME '12:00:00'", "tm = TIME '12:00'", "tm < '12:00:00'", "NOT tm < TIME '12:00:00'",
	// casts
	"i = 5::INTEGER", "i = 5::INT", "i = 5::INT4", "i = 5::int8", "i = 5::BIGINT::VARCHAR::INTEGER", "i = '5'::INTEGER", "i = -5::INTEGER", "i = (-5)::INTEGER", "i = 5 ::INTEGER", "i = 5:: INTEGER", "i = 4.5::INTEGER", "i = -4.5::INTEGER", "i = 4.5e0::INTEGER",
	"i = 5::DECIMAL", "i = 5::DECIMAL(5)", "i = 5::DECIMAL(5,2)", "i = 5::NUMERIC(5,2)", "i < 5::DOUBLE PRECISION", "i = INTEGER '5'", "i = INT '5'", "i = BIGINT '5'", "i < DOUBLE '5.5'", "i = NULL::INTEGER", "i IS DISTINCT FROM CAST(NULL AS BIGINT)", "i = TRUE::INTEGER",
	"b = BOOLEAN 'true'", "b = 1::BOOLEAN", "f = 'nan'", "f = 'nan'::DOUBLE", "f >= 'inf'::DOUBLE", "f < '-inf'::FLOAT", "r <> 'nan'::FLOAT", "u = UUID '00000000-0000-0000-0000-000000000001'", "u > '00000000-0000-0000-0000-000000000001'", `x = '\xAA\x00'::BLOB`, `x > BLOB '\xAA'`, `x = BYTEA '\xAA'`, `x <= '\x41'`,
	// what only one of them binds, or binds otherwise
	"f = 1e400", "i = -128::TINYINT", "i = '4.6'", "ts = TIMESTAMP '2024-03-01 14:00:00+02:00'", "r IN (0.1, 5e0)", "r BETWEEN 0.1 AND 5e0", "b = 1", "s = 5", "x LIKE 'a%'", "i = DATE '2024-03-01'", "f = -inf", "f < +infinity", "s LIKE 'aéb' ESCAPE 'é'",
	// comments
	"i = 5 -- comment", "i = 5 --", "i = 5 /* comment */", "i /* a */ = /* b */ 5", "-- comment\ni = 5",
}

// neither are texts that both parsers refuse.
var neither = []string{
	"", " ", "i =", "i 5", "= 5", "i = = 5", "i < > 5", "i < = 5", "i := 5", "i = 5 5", "i = 5a", "1i = 5", "i = 5e", "i = 5e+", "i = .e1", "i = 1.2.3", "i = --5", "i = 0x", "i = 5,",
	"(i = 5", "i = 5)", "()", "i = 5 AND", "AND i = 5", "i = 5 AND AND b", "i AND", "OR", "NOT", "i = 5 XOR b", "i = 5 i = 6",
	"i IS", "i IS 5", "i IS NOT NOT NULL", "i IS DISTINCT 5", "i DISTINCT FROM 5", "i IN ()", "i IN (1 2)", "i IN (1, 2", "i NOT 5", "i BETWEEN 1", "i BETWEEN 1 OR 5", "i BETWEEN SYMMETRIC 5 AND 1", "i < 5 < 6",
	"s LIKE", "s LIKE 'a%' ESCAPE", "s = 'open", `"open = 5`, `s = 'it\'s'`, "s = U&'x'", "i. = 5", ".i = 5", "i..j = 5", "i[ = 5",
	`d = DATE "2024-03-01"`, "d = CAST('2024-03-01', DATE)", "d = CAST('2024-03-01' AS)", "i = 5::", "i = 5 : : INTEGER", "i = 5 /* open", "i = 5 # x", "i IS OF (INTEGER)",
	"select = 5", "group = 5", "order = 5", "limit = 5", "case = 5", "where = 5", "in = 5", "like = 5",
}

// onlyDuckDB are texts that pare refuses, by the reason.
var onlyDuckDB = map[string][]string{
	"two columns are not compared":                              {"i = j", "i = _1", `s = "x"`, "5 BETWEEN i AND 7", "1 IN (i)", "s LIKE s", "'a' LIKE s"},
	"a test stands on a column, not on a literal":               {"1 = 1", "NULL IS NULL", "5 IS DISTINCT FROM i", "1", "(1)", "'x'", "b AND 1", "b AND 'true'"},
	"a test stands on a column, not on another test":            {"i = 5 IS NULL", "(i = 5) IS NULL", "(i = 5) IS TRUE", "(i = 5) = TRUE", "(i = 5) = b", "NOT i IS NULL = TRUE", "i IS NULL IS NULL", "i IN (1) = TRUE", "b = NOT b", "i = NOT NULL"},
	"arithmetic, functions and subqueries are not the reader's": {"i + 1 = 5", "i = 1 + 4", "i * 2 = 4", "-i = 5", "i % 2 = 0", "i || 'x' = 'y'", "s LIKE 'a' || '%'", "abs(i) = 5", "f(i)", "count(*) = 5", "ts = now()", "ts = CURRENT_TIMESTAMP", "EXISTS (SELECT 1)", "i = (SELECT 1)", "i IN (SELECT 1)", "i = ANY (1)", "i > ALL (SELECT 1)", "i = CASE WHEN b THEN 1 END", "d = DATE '2024-01-01' + 1", "d = DATE ('2024-03-01')", "d = TRY_CAST('2024-03-01' AS DATE)", "ts > INTERVAL '1 day'", "ts > INTERVAL 1 DAY", "i = - -5", "i = -+5"},
	"a column is not cast":                                      {"i::VARCHAR = '5'", "CAST(i AS VARCHAR) = '5'", "d = CAST(i AS DATE)"},
	"no nested values":                                          {"st['x'] = 5", "l[1] = 5", "i IN [1, 2]", "i = ROW(1)", "(i, j) = (1, 2)", "(i, j) IN ((1, 2))", "i = 5::INTEGER[]", "i.* = 5"},
	"other operators and spellings":                             {"i === 5", "i <=> 5", "i =! 5", "i ! = 5", "! b", "i = 5!", "i = 5 && b", "b IS UNKNOWN", "b IS NOT UNKNOWN", "b ISNULL", "b NOTNULL", "b NOT NULL", "i BETWEEN ASYMMETRIC 1 AND 5", "i IN (1,)", "s COLLATE nocase = 'a'"},
	"LIKE is the only pattern test":                             {"s ILIKE 'a%'", "s SIMILAR TO 'a'", "s ~ 'a'", "s ~~ 'a%'", "s !~~ 'a%'", "s ^@ 'a'", "s GLOB 'a*'", "s LIKE 5", "s LIKE b"},
	"a pattern's escape is checked before a row is read":        {"s LIKE 'a%' ESCAPE ''", "s LIKE 'a%' ESCAPE 'ab'", "s LIKE 'a!' ESCAPE '!'"},
	"a literal's text is checked before a row is read":          {"d = DATE '2024-02-30'", "d = DATE 'x'", `x = '\xA'::BLOB`, "i = 5::FOO", "i = 5::DECIMAL(99,2)", "i = 'x'::INTEGER", "i = 300::TINYINT"},
	"other kinds of string":                                     {`s = E'a\nb'`, "s = $$x$$", "s = 'a'\n'b'", "s = x'41'", "s = B'01'"},
	"types are bare words, with parameters only after a cast":   {`i = 5::"INTEGER"`, "i = 5::DECIMAL()", "i = DECIMAL(5,2) '5.5'", "ts = TIMESTAMP(3) '2024-03-01 12:00:00'", "i = DOUBLE PRECISION '5.5'"},
	"a TIME has no zone":                                        {"tm = TIME WITH TIME ZONE '12:00:00+00'"},
	"no parameters":                                             {"i = ?", "i = $1", "i = @x", "$i = 5"},
	"only a predicate":                                          {"i = 5;", "i = 5; SELECT 1", "i = 5 LIMIT 3", "i = 5 ORDER BY i", "i = 5 GROUP BY i"},
	"comments do not nest":                                      {"i = 5 /* a /* nested */ b */"},
	"no numbers without a digit":                                {"f = nan", "f = inf", "f = NaN::DOUBLE"},
	"no numbers beyond a DOUBLE":                                {"f = 1e401", "f = 1e-401"},
}

// onlyPare are texts that DuckDB refuses, by the reason.
var onlyPare = map[string][]string{
	"a word is a name wherever that is not ambiguous": {"end = 5", "when = 5", "then = 5", "table = 5", "column = 5", "all = 5", "any = 5", "left = 5", "primary = 5", "for = 5", "using = 5", "cast = 5", "lambda = 5"},
	"Parquet allows columns without a name":           {`"" = 5`},
}
