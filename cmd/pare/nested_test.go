package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/extensions"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/parequet/pare"
)

func TestNestedJSON(t *testing.T) {
	i64, utf8 := arrow.PrimitiveTypes.Int64, arrow.BinaryTypes.String
	dict := &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int32, ValueType: utf8}
	field := func(name string, t arrow.DataType) arrow.Field {
		return arrow.Field{Name: name, Type: t, Nullable: true}
	}
	many := make([]string, 20)
	for i := range many {
		many[i] = fmt.Sprintf(`{"key":"k%d","value":%d}`, i, i)
	}
	named := strings.NewReplacer(`{"key":`, "", `,"value"`, "", "}", "", "[", "{", "]", "}")
	distinct, twice := "["+strings.Join(many, ",")+"]", "["+strings.Join(append(many, many[3]), ",")+"]"
	for _, c := range []struct {
		name     string
		typ      arrow.DataType
		in, want string // in is what arrow-go reads
	}{
		{"struct keeps its order", arrow.StructOf(field("z", i64), field(`a"b`, utf8)), `{"z":9007199254740993,"a\"b":"ü\n\u0001"}`, `{"z":9007199254740993,"a\"b":"ü\n\u0001"}`},
		{"struct of nulls", arrow.StructOf(field("a", i64), field("b", arrow.Null), field("c", arrow.ListOf(i64))), `{"a":null,"b":null,"c":null}`, `{"a":null,"b":null,"c":null}`},
		{"list", arrow.ListOf(arrow.ListOf(utf8)), `[["a",null],[],null]`, `[["a",null],[],null]`},
		{"fixed-size list", arrow.FixedSizeListOf(2, i64), `[1,null]`, `[1,null]`},
		{"list of nulls", arrow.ListOf(arrow.Null), `[null,null]`, `[null,null]`},
		{"floats", arrow.ListOf(arrow.PrimitiveTypes.Float64), `[1,1e300,"NaN","-Inf"]`, `[1.0,1e+300,"nan","-inf"]`},
		{"booleans", arrow.ListOf(arrow.FixedWidthTypes.Boolean), `[true,false,null]`, `[true,false,null]`},
		{"map of strings", arrow.MapOf(utf8, i64), `[{"key":"b","value":1},{"key":"a","value":null}]`, `{"b":1,"a":null}`},
		{"map of dictionary strings", arrow.MapOf(dict, dict), `[{"key":"b","value":"x"},{"key":"a","value":"x"}]`, `{"b":"x","a":"x"}`},
		{"map of many strings", arrow.MapOf(utf8, i64), distinct, named.Replace(distinct)},
		{"a key twice", arrow.MapOf(utf8, i64), `[{"key":"b","value":1},{"key":"b","value":2}]`, `[{"key":"b","value":1},{"key":"b","value":2}]`},
		{"a key twice in many", arrow.MapOf(utf8, i64), twice, twice},
		{"map of numbers", arrow.MapOf(i64, arrow.MapOf(utf8, i64)), `[{"key":1,"value":[{"key":"a","value":2}]}]`, `[{"key":1,"value":{"a":2}}]`},
		{"empty map of strings", arrow.MapOf(utf8, i64), `[]`, `{}`},
		{"empty map of numbers", arrow.MapOf(i64, i64), `[]`, `[]`},
		{"extension", arrow.ListOf(extensions.NewUUIDType()), `["00112233-4455-6677-8899-aabbccddeeff"]`, `["00112233-4455-6677-8899-aabbccddeeff"]`},
	} {
		t.Run(c.name, func(t *testing.T) {
			// The rows before and behind make offsets matter.
			a, _, err := array.FromJSON(memory.DefaultAllocator, c.typ, strings.NewReader("["+c.in+",null,"+c.in+","+c.in+"]"))
			if err != nil {
				t.Fatal(err)
			}
			defer a.Release()
			s := array.NewSlice(a, 1, 3)
			defer s.Release()
			cells := cellsOfColumn(s, arrow.Field{Type: c.typ, Nullable: true})
			if got := string(cells.appendJSON(nil, 0)); got != "null" {
				t.Errorf("null is %s", got)
			}
			got := string(cells.appendJSON([]byte(">"), 1))
			if got != ">"+c.want || cells.text(1) != c.want || !json.Valid([]byte(c.want)) {
				t.Errorf("got %s and %s, want %s", got, cells.text(1), c.want)
			}
		})
	}
}

// TestKeysThatAreNotUTF8 would be the same in an object.
func TestKeysThatAreNotUTF8(t *testing.T) {
	b := array.NewMapBuilder(memory.DefaultAllocator, arrow.BinaryTypes.String, arrow.PrimitiveTypes.Int64, false)
	defer b.Release()
	b.Append(true)
	for i, k := range []string{"\xff", "\xfe"} {
		b.KeyBuilder().(*array.StringBuilder).Append(k)
		b.ItemBuilder().(*array.Int64Builder).Append(int64(i))
	}
	a := b.NewArray()
	defer a.Release()
	const want = `[{"key":"\ufffd","value":0},{"key":"\ufffd","value":1}]`
	if got := cellsOfColumn(a, arrow.Field{Type: a.DataType()}).text(0); got != want {
		t.Errorf("got %s", got)
	}
}

// eachBatch calls f with the batches of a file's scan.
func eachBatch(t *testing.T, path string, f func(arrow.RecordBatch)) {
	t.Helper()
	file, err := pare.OpenFile(context.Background(), path, pare.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	s, err := file.Scan(context.Background(), pare.Query{})
	if err != nil {
		t.Fatal(err)
	}
	for b, err := range s.Batches() {
		if err != nil {
			t.Fatal(err)
		}
		f(b)
		b.Release()
	}
}

// TestLeavesLookAsFlatColumnsDo: whatever a value is in, its JSON is that of a
// column of its own.
func TestLeavesLookAsFlatColumnsDo(t *testing.T) {
	files, err := filepath.Glob(fixtures + "*.parquet")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, path := range files {
		eachBatch(t, path, func(b arrow.RecordBatch) {
			columns, fields := b.Columns(), b.Schema().Fields()
			s, err := array.NewStructArrayWithFields(columns, fields)
			if err != nil {
				t.Fatal(err)
			}
			defer s.Release()
			typ := arrow.StructOf(fields...)
			nested := cellsOfColumn(s, arrow.Field{Type: typ})
			flat := cellsOf(b)
			for row := range min(int(b.NumRows()), 100) {
				want := []byte("{")
				for i, c := range flat {
					if i > 0 {
						want = append(want, ',')
					}
					want = c.appendJSON(append(appendString(want, fields[i].Name), ':'), row)
				}
				if got := nested.text(row); got != string(want)+"}" {
					t.Fatalf("%s, row %d: %s, flat %s", path, row, got, want)
				}
			}
		})
	}
}

// TestArrowStreamsOfNestedColumns come back as they went.
func TestArrowStreamsOfNestedColumns(t *testing.T) {
	files, err := filepath.Glob(nestedFiles + "*.parquet")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, path := range files {
		out := filepath.Join(t.TempDir(), "out.arrow")
		if status, _, stderr := runCommand(t, "scan", path, "-o", out); status != 0 {
			t.Fatalf("%s: exit %d, %s", path, status, stderr)
		}
		f, err := os.Open(out)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		r, err := ipc.NewReader(f)
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		defer r.Release()
		eachBatch(t, path, func(want arrow.RecordBatch) {
			if !r.Next() {
				t.Fatalf("%s: the stream ends early: %v", path, r.Err())
			}
			if !array.RecordEqual(r.RecordBatch(), want) {
				t.Errorf("%s: the stream differs", path)
			}
		})
		if r.Next() || r.Err() != nil {
			t.Errorf("%s: the stream goes on: %v", path, r.Err())
		}
	}
}
