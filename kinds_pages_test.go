package pare_test
import ("testing"; "github.com/parequet/pare/metadata")
// TestKindCINullPages: null_pages that contradict the null counts are ignored.
func TestKindCINullPages(t *testing.T) {
	kindFile{columns: []kindColumn{{name: "c", typ: metadata.Int32, optional: true, compare: byInt32,
		groups: [][]kindPage{{span(i32, 0, 9), span(i32, 50, 59), span(i32, 20, 29)}},
		columnIndex: func(_ int, x *metadata.ColumnIndex) { x.NullPages[1], x.Min[1], x.Max[1] = true, nil, nil },
	}}}.check(t, rowsWhere("c = 55", 15), rowsWhere("c IS NULL"), rowsWhere("c >= 20 AND c < 22", 20, 21), rowsWhere("c IS NOT NULL", upTo(0, 30)...))
}
