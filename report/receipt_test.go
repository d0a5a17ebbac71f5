package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"sort"
	"strings"
	"testing"
)

// documented are the keys of the receipt's JSON, by path.
var documented = strings.Fields(`version files files.total files.pruned files.read
row_groups row_groups.total row_groups.read row_groups.pruned row_groups.pruned.statistics row_groups.pruned.bloom row_groups.pruned.dictionary
row_groups.pruned.page_index row_groups.from_metadata row_groups.past_limit row_groups.always
pages pages.total pages.read pages.always
rows rows.total rows.planned rows.decoded rows.returned
bytes bytes.file bytes.footer bytes.index bytes.bloom bytes.dictionary bytes.data bytes.gap bytes.total
requests requests.total requests.rounds requests.retries
model model.latency_ms model.bandwidth_bytes_per_s model.predicted_ms model.actual_ms
doubts doubts.row_group doubts.column doubts.what doubts.why
columns columns.name columns.role columns.pages_total columns.pages_read columns.bytes
steps steps.stage steps.row_group steps.asked steps.reason steps.rows_before steps.rows_after steps.pages_before steps.pages_after`)

// more are keys that appear only where there is something to say.
var more = strings.Fields(`files.past_limit doubts.file steps.file steps.units steps.units.column steps.units.first_page steps.units.last_page steps.units.decision
steps.units.why reads reads.round reads.offset reads.length reads.wanted reads.pieces reads.purpose reads.retries`)

func keys(v any, path string, out map[string]bool) {
	switch v := v.(type) {
	case map[string]any:
		for k, e := range v {
			p := strings.TrimPrefix(path+"."+k, ".")
			out[p] = true
			keys(e, p, out)
		}
	case []any:
		for _, e := range v {
			keys(e, path, out)
		}
	}
}

func jsonKeys(t *testing.T, r Receipt) []string {
	t.Helper()
	var b bytes.Buffer
	if err := r.WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	if !bytes.HasSuffix(b.Bytes(), []byte("}\n")) {
		t.Errorf("no final newline: %q", b.Bytes()[b.Len()-5:])
	}
	var v any
	if err := json.Unmarshal(b.Bytes(), &v); err != nil {
		t.Fatal(err)
	}
	set := map[string]bool{}
	keys(v, "", set)
	var out []string
	for k := range set {
		out = append(out, k)
	}
	sort.Strings(out)
	return out
}

// fill puts random numbers and texts into everything below v, and two elements
// into every slice.
func fill(r *rand.Rand, v reflect.Value) {
	switch v.Kind() {
	case reflect.Int, reflect.Int64:
		v.SetInt(1 + r.Int64N(1000))
	case reflect.Float64:
		v.SetFloat(float64(1 + r.IntN(1000)))
	case reflect.Bool:
		v.SetBool(true)
	case reflect.String:
		v.SetString(fmt.Sprintf("text %d", r.IntN(1000)))
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(r, v.Elem())
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 4)) // room, so that appends can overwrite
		for i := range v.Len() {
			fill(r, v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			fill(r, v.Field(i))
		}
	}
}

func filled(seed uint64) Receipt {
	var r Receipt
	fill(rand.New(rand.NewPCG(seed, 1)), reflect.ValueOf(&r).Elem())
	r.Version = Version
	return r
}

func TestJSONHasTheDocumentedKeys(t *testing.T) {
	r := filled(1)
	all := append(slices.Clone(documented), more...)
	sort.Strings(all)
	if got := jsonKeys(t, r); !slices.Equal(got, all) {
		t.Errorf("%v\nwant\n%v", got, all)
	}
	r.Reads, r.Files.PastLimit = nil, 0
	for i := range r.Steps {
		r.Steps[i].Units, r.Steps[i].File = nil, ""
	}
	for i := range r.Doubts {
		r.Doubts[i].File = ""
	}
	want := slices.Sorted(slices.Values(documented))
	if got := jsonKeys(t, r); !slices.Equal(got, want) {
		t.Errorf("%v\nwant\n%v", got, want)
	}
}

// TestJSONOfNothing: lists are lists and unknown counts are null, not absent.
func TestJSONOfNothing(t *testing.T) {
	var b bytes.Buffer
	if err := (Receipt{}).WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"version": 1`, `"doubts": []`, `"columns": []`, `"steps": []`, `"total": null`} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %s in %s", want, b.String())
		}
	}
	r := Receipt{Columns: []Column{{Name: "a<b>&c"}}, Steps: []Step{{}}}
	b.Reset()
	if err := r.WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"pages_total": null`, `"pages_before": null`, `"pages_after": null`, `"a<b>&c"`} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %s in %s", want, b.String())
		}
	}
}

// sums compares every number of a sum with its two parts.
func sums(t *testing.T, path string, a, b, sum reflect.Value) {
	switch sum.Kind() {
	case reflect.Int, reflect.Int64:
		if sum.Int() != a.Int()+b.Int() {
			t.Errorf("%s: %d and %d became %d", path, a.Int(), b.Int(), sum.Int())
		}
	case reflect.Pointer:
		sums(t, path, a.Elem(), b.Elem(), sum.Elem())
	case reflect.Struct:
		for i := range sum.NumField() {
			sums(t, path+"."+sum.Type().Field(i).Name, a.Field(i), b.Field(i), sum.Field(i))
		}
	}
}

func TestAddSums(t *testing.T) {
	a, b := filled(1), filled(2)
	var sum Receipt
	sum.Add(a)
	sum.Add(b)
	for _, name := range []string{"Files", "RowGroups", "Pages", "Rows", "Bytes", "Requests"} {
		field := func(r Receipt) reflect.Value { return reflect.ValueOf(r).FieldByName(name) }
		sums(t, name, field(a), field(b), field(sum))
	}
	if sum.Version != Version || sum.Model.ActualMS != a.Model.ActualMS+b.Model.ActualMS || sum.Model.PredictedMS != a.Model.PredictedMS+b.Model.PredictedMS {
		t.Errorf("version %d, model %+v", sum.Version, sum.Model)
	}
	if !reflect.DeepEqual(sum.Doubts, slices.Concat(a.Doubts, b.Doubts)) || !reflect.DeepEqual(sum.Steps, slices.Concat(a.Steps, b.Steps)) ||
		!reflect.DeepEqual(sum.Reads, slices.Concat(a.Reads, b.Reads)) {
		t.Error("lists are not joined")
	}
}

func TestAddJoinsColumnsByName(t *testing.T) {
	n := func(v int64) *int64 { return &v }
	file := func(cols ...Column) Receipt { return Receipt{Files: Files{Total: 1}, Columns: cols} }
	var sum Receipt
	sum.Add(file(Column{"a", "filter", n(3), 1, 10}, Column{"b", "output", n(4), 2, 20}))
	sum.Add(file(Column{"b", "output", nil, 3, 30}, Column{"c", "both", n(5), 4, 40}, Column{"a", "filter", n(7), 5, 50}))
	want := []Column{{"a", "filter", n(10), 6, 60}, {"b", "output", nil, 5, 50}, {"c", "both", n(5), 4, 40}}
	if !reflect.DeepEqual(sum.Columns, want) {
		t.Errorf("%+v", sum.Columns)
	}
}

// TestAddUnknownPages: the number of pages is known only if it is of every file.
func TestAddUnknownPages(t *testing.T) {
	known, unknown := filled(1), filled(2)
	unknown.Pages.Total = nil
	for _, order := range [][]Receipt{{known, unknown}, {unknown, known}, {known, unknown, known}} {
		var sum Receipt
		for _, r := range order {
			sum.Add(r)
		}
		if sum.Pages.Total != nil {
			t.Errorf("%d pages", *sum.Pages.Total)
		}
	}
}

// TestAddLeavesItsOperandAlone: the receipt of a file stays what it is after
// it has been added to a total.
func TestAddLeavesItsOperandAlone(t *testing.T) {
	a, b := filled(1), filled(2)
	b.Columns = slices.Clone(a.Columns)
	var sum Receipt
	sum.Add(a)
	sum.Add(b)
	sum.Add(b)
	if want := filled(1); !reflect.DeepEqual(a, want) {
		t.Errorf("the first file's receipt was changed:\n%+v\nwas\n%+v", a.Columns, want.Columns)
	}
	if want := filled(2); !reflect.DeepEqual(b.Doubts, want.Doubts) || !reflect.DeepEqual(b.Columns, filled(1).Columns) {
		t.Error("the second file's receipt was changed")
	}
}
