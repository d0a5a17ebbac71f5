package pare_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/apache/arrow-go/v18/arrow/array"

	"github.com/parequet/pare"
	"github.com/parequet/pare/metadata"
	"github.com/parequet/pare/predicate"
	"github.com/parequet/pare/report"
	"github.com/parequet/pare/rowrange"
	"github.com/parequet/pare/source"
)

// A file is opened by reading its footer.
func ExampleOpenFile() {
	f, err := pare.OpenFile(context.Background(), "cmd/pare/orders/orders-paged.parquet", pare.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	fmt.Println(f.NumRows(), "rows")
	for _, field := range f.ArrowSchema().Fields() {
		fmt.Println(field.Name, field.Type)
	}
	// Output:
	// 20000 rows
	// order_id int64
	// order_date date32
	// customer_id int32
	// status utf8
	// quantity int32
	// amount float64
	// note utf8
}

// Anything that reads ranges of bytes is a source; here it is memory.
func ExampleOpen() {
	b, err := os.ReadFile("cmd/pare/orders/orders-paged.parquet")
	if err != nil {
		log.Fatal(err)
	}
	f, err := pare.Open(context.Background(), source.Memory(b), pare.Options{Name: "orders"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(f.Metadata().RowGroups), "row group")
	// Output:
	// 1 row group
}

// A scan yields Arrow record batches of exactly the rows that match.
func ExampleScan_Batches() {
	ctx := context.Background()
	f, err := pare.OpenFile(ctx, "cmd/pare/orders/orders-paged.parquet", pare.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	where, err := predicate.Parse("order_date = DATE '2024-03-01' AND quantity >= 9")
	if err != nil {
		log.Fatal(err)
	}
	scan, err := f.Scan(ctx, pare.Query{Select: []string{"order_id", "quantity"}, Where: where})
	if err != nil {
		log.Fatal(err)
	}
	for batch, err := range scan.Batches() {
		if err != nil {
			log.Fatal(err)
		}
		ids, quantities := batch.Column(0).(*array.Int64), batch.Column(1).(*array.Int32)
		for i := range int(batch.NumRows()) {
			fmt.Println(ids.Value(i), quantities.Value(i))
		}
		batch.Release()
	}
	r := scan.Receipt()
	fmt.Printf("%d of %d rows were decoded\n", r.Rows.Decoded, r.Rows.Total)
	// Output:
	// 3287 10
	// 3292 9
	// 3294 9
	// 3300 10
	// 3302 10
	// 3304 9
	// 3306 9
	// 3313 10
	// 3318 9
	// 3323 9
	// 3326 9
	// 3328 9
	// 3332 9
	// 1024 of 20000 rows were decoded
}

// A plan says what will be read, and why, before any data page is.
func ExampleFile_Plan() {
	ctx := context.Background()
	f, err := pare.OpenFile(ctx, "cmd/pare/orders/orders-paged.parquet", pare.Options{Tail: 8, Gap: -1})
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	where, err := predicate.Parse("order_date >= DATE '2024-03-01' AND order_date < DATE '2024-03-15'")
	if err != nil {
		log.Fatal(err)
	}
	p, err := f.Plan(ctx, pare.Query{Select: []string{"order_id", "customer_id", "amount"}, Where: where})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("tested:", p.Where())
	for _, g := range p.Groups() {
		fmt.Println("may match:", g.May)
		for _, s := range g.Steps {
			fmt.Printf("%s: %d of %d rows: %s\n", s.Stage, s.RowsAfter, s.RowsBefore, s.Reason)
		}
	}
	planned := p.Receipt()
	fmt.Printf("%d data pages of %d\n", planned.Pages.Read, *planned.Pages.Total)
	// Output:
	// tested: order_date >= DATE '2024-03-01' AND order_date <= DATE '2024-03-14'
	// may match: [3072,4096)
	// statistics: 20000 of 20000 rows: order_date is DATE '2024-01-01' … DATE '2024-12-31'
	// bloom: 20000 of 20000 rows: column order_date has no Bloom filter
	// dictionary: 20000 of 20000 rows: column order_date: some of its dictionary's values surely pass, and some do not
	// page_index: 1024 of 20000 rows: 1024 of 20000 rows may match
	// 4 data pages of 80
}

// The receipt accounts for every byte; it prints as text and as JSON.
func ExampleScan_Receipt() {
	ctx := context.Background()
	f, err := pare.OpenFile(ctx, "cmd/pare/orders/orders-paged.parquet", pare.Options{Tail: 8, Gap: -1})
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	scan, err := f.Scan(ctx, pare.Query{Select: []string{"order_id"}, Where: predicate.Col("order_date").Lt(predicate.Date(2024, 1, 2))})
	if err != nil {
		log.Fatal(err)
	}
	for batch, err := range scan.Batches() {
		if err != nil {
			log.Fatal(err)
		}
		batch.Release()
	}
	r := scan.Receipt()
	b := r.Bytes
	fmt.Println(r.Rows.Returned, "rows")
	fmt.Println("adds up:", b.Footer+b.Index+b.Bloom+b.Dictionary+b.Data+b.Gap == b.Total)
	for _, c := range r.Columns {
		fmt.Printf("%s, %s: %s of %s\n", c.Name, c.Role, report.Plural(c.PagesRead, "page"), report.Count(*c.PagesTotal))
	}
	// Output:
	// 55 rows
	// adds up: true
	// order_date, filter: 1 page of 20
	// order_id, output: 1 page of 20
}

// Reader is the scan as an Arrow record reader, for whatever takes one.
func ExampleScan_Reader() {
	ctx := context.Background()
	f, err := pare.OpenFile(ctx, "cmd/pare/orders/orders-paged.parquet", pare.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	scan, err := f.Scan(ctx, pare.Query{Select: []string{"status"}, Limit: 3})
	if err != nil {
		log.Fatal(err)
	}
	r := scan.Reader()
	defer r.Release()
	for r.Next() {
		fmt.Println(r.RecordBatch().Column(0))
	}
	fmt.Println(r.Err())
	// Output:
	// ["shipped" "shipped" "shipped"]
	// <nil>
}

// A function tests what the dialect cannot say. Bounds cannot help it, but
// other conditions can.
func ExampleQuery_function() {
	ctx := context.Background()
	f, err := pare.OpenFile(ctx, "cmd/pare/orders/orders-paged.parquet", pare.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	square := func(v metadata.Value) bool {
		for i := int64(0); i*i <= v.Int; i++ {
			if i*i == v.Int {
				return true
			}
		}
		return false
	}
	id := predicate.Col("order_id")
	scan, err := f.Scan(ctx, pare.Query{Select: []string{"order_id"}, Where: predicate.And(id.Func("is a square", square), id.Le(100))})
	if err != nil {
		log.Fatal(err)
	}
	for batch, err := range scan.Batches() {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(batch.Column(0))
		batch.Release()
	}
	fmt.Println(scan.Receipt().Rows.Decoded, "rows were decoded")
	// Output:
	// [1 4 9 16 25 36 49 64 81 100]
	// 1024 rows were decoded
}

// Row numbers say where a row lies in its file.
func ExampleQuery_rowNumbers() {
	ctx := context.Background()
	f, err := pare.OpenFile(ctx, "cmd/pare/orders/orders-paged.parquet", pare.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	scan, err := f.Scan(ctx, pare.Query{Select: []string{"order_id"}, Where: predicate.Col("order_id").In(7, 12345), RowNumbers: "row"})
	if err != nil {
		log.Fatal(err)
	}
	for batch, err := range scan.Batches() {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(batch.Column(0), batch.Column(1))
		batch.Release()
	}
	// Output:
	// [7 12345] [6 12344]
}

// Rows that a table format has deleted are left out by their numbers.
func ExampleQuery_deletes() {
	ctx := context.Background()
	f, err := pare.OpenFile(ctx, "cmd/pare/orders/orders-paged.parquet", pare.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	scan, err := f.Scan(ctx, pare.Query{Select: []string{"order_id"}, Where: predicate.Col("order_id").Le(8),
		Exclude: rowrange.New(rowrange.Range{From: 2, To: 5}, rowrange.Range{From: 6, To: 7})})
	if err != nil {
		log.Fatal(err)
	}
	for batch, err := range scan.Batches() {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(batch.Column(0))
		batch.Release()
	}
	// Output:
	// [1 2 6 8]
}

// Row groups can be divided among workers, which share the open file.
func ExampleQuery_rowGroups() {
	ctx := context.Background()
	f, err := pare.OpenFile(ctx, "cmd/pare/orders/orders-sorted.parquet", pare.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	total := int64(0)
	for worker := range 2 {
		var mine []int
		for i := worker; i < len(f.Metadata().RowGroups); i += 2 {
			mine = append(mine, i)
		}
		scan, err := f.Scan(ctx, pare.Query{Select: []string{}, Where: predicate.Col("status").Eq("returned"), RowGroups: mine})
		if err != nil {
			log.Fatal(err)
		}
		rows := int64(0)
		for batch, err := range scan.Batches() {
			if err != nil {
				log.Fatal(err)
			}
			rows += batch.NumRows()
			batch.Release()
		}
		fmt.Println("row groups", mine, "hold", rows)
		total += rows
	}
	fmt.Println(total)
	// Output:
	// row groups [0 2 4 6 8] hold 591
	// row groups [1 3 5 7 9] hold 563
	// 1154
}
