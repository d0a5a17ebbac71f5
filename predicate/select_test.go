package predicate

import (
	"fmt"
	"testing"
)

func renderSelect(s *Select) string {
	out := ""
	for _, i := range s.Items {
		switch {
		case i.Star && i.Aggregate == "":
			out += "[*]"
		default:
			out += fmt.Sprintf("[%s|%s|%s]", i.Aggregate, i.Column, i.Alias)
		}
	}
	where := ""
	if s.Where != nil {
		where = s.Where.String()
	}
	return fmt.Sprintf("%s from %s where %s limit %d", out, s.From, where, s.Limit)
}

func TestParseSelect(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"SELECT * FROM 'f.parquet'", "[*] from f.parquet where  limit -1"},
		{"select order_id, amount from 'orders.parquet' where order_date >= DATE '2024-03-01' limit 10",
			"[|order_id|][|amount|] from orders.parquet where order_date >= DATE '2024-03-01' limit 10"},
		{"SELECT count(*), count(c) n FROM 'f'", "expected , or FROM, found n (line 1, column 27)"},
		{"SELECT count(*), count(c) AS n, MIN(a.b), max(\"C\") FROM 'f'",
			"[count||count(*)][count|c|n][min|a.b|min(a.b)][max|C|max(C)] from f where  limit -1"},
		{`SELECT count(""), min("") FROM 'f'`, "[count||count()][min||min()] from f where  limit -1"},
		{"SELECT a FROM orders.parquet", "[|a|] from orders.parquet where  limit -1"},
		{"SELECT a FROM orders WHERE TRUE", "[|a|] from orders where TRUE limit -1"},
		{`SELECT a FROM "my ""file"""`, `[|a|] from my "file" where  limit -1`},
		{"SELECT a FROM 's3://bucket/*.parquet' LIMIT 0;", "[|a|] from s3://bucket/*.parquet where  limit 0"},
		{"SELECT count, min, max FROM 'f'", "[|count|][|min|][|max|] from f where  limit -1"},
		{"SELECT date AS \"a b\", *, cast FROM 'it''s'", "[|date|a b][*][|cast|] from it's where  limit -1"},
		{"SELECT a FROM 'f' -- all of it", "[|a|] from f where  limit -1"},
	} {
		s, err := ParseSelect(c.text)
		got := ""
		if err != nil {
			got = err.Error()
		} else {
			got = renderSelect(s)
		}
		if got != c.want {
			t.Errorf("%s\n  got %s\n want %s", c.text, got, c.want)
		}
	}
}

// TestItemPlaces: an item knows where it stands.
func TestItemPlaces(t *testing.T) {
	s, err := ParseSelect("SELECT a,\n  count(*) FROM 'f' WHERE x = 1")
	if err != nil {
		t.Fatal(err)
	}
	if s.Items[0].Pos != 7 || s.Items[1].Pos != 12 {
		t.Errorf("items stand at %d and %d", s.Items[0].Pos, s.Items[1].Pos)
	}
}
