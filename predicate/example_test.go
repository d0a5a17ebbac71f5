package predicate_test

import (
	"errors"
	"fmt"
	"time"

	"github.com/parequet/pare/metadata"
	"github.com/parequet/pare/predicate"
)

// orders is a schema as a file's footer would give it.
func orders() *metadata.Schema {
	s := &metadata.Schema{Root: &metadata.Node{Name: "schema"}}
	for i, c := range []*metadata.Column{
		{Name: "order_id", Type: metadata.Int64, Order: metadata.OrderInt},
		{Name: "order_date", Type: metadata.Int32, Order: metadata.OrderInt, Logical: metadata.Logical{Kind: metadata.Date}},
		{Name: "status", Type: metadata.ByteArray, Order: metadata.OrderBytes, Logical: metadata.Logical{Kind: metadata.String}, MaxDef: 1},
		{Name: "shipped_at", Type: metadata.Int64, Order: metadata.OrderInt, MaxDef: 1,
			Logical: metadata.Logical{Kind: metadata.Timestamp, Unit: metadata.Millis, UTC: true}},
	} {
		c.Index, c.Path = i, []string{c.Name}
		s.Columns = append(s.Columns, c)
		s.Root.Children = append(s.Root.Children, &metadata.Node{Name: c.Name, Column: c})
	}
	return s
}

// A text is parsed, bound to a schema and asked about a page.
func ExampleParse() {
	text := "order_date >= DATE '2024-03-01' AND order_date < DATE '2024-03-15' AND NOT status = 'cancelled'"
	x, err := predicate.Parse(text)
	if err != nil {
		panic(err)
	}
	b, err := predicate.BindText(x, orders(), text)
	if err != nil {
		panic(err)
	}
	fmt.Println(b)
	february := metadata.Zone{Rows: 1024, NoNaN: true, HasLower: true, HasUpper: true,
		Lower: metadata.IntValue(19754), Upper: metadata.IntValue(19782)}
	unknown := metadata.Zone{Rows: 1024, Nulls: -1, NoNaN: true}
	fmt.Println(predicate.Decide(b.Root, func(c *metadata.Column) metadata.Zone {
		if c.Name == "order_date" {
			return february
		}
		return unknown
	}))
	// Output:
	// order_date >= DATE '2024-03-01' AND order_date <= DATE '2024-03-14' AND (status < 'cancelled' OR status > 'cancelled')
	// never
}

// Predicates can be built in Go, without any text.
func ExampleCol() {
	x := predicate.And(
		predicate.Col("order_date").Between(predicate.Date(2024, 3, 1), predicate.Date(2024, 3, 14)),
		predicate.Or(
			predicate.Col("status").In("shipped", "delivered"),
			predicate.Col("shipped_at").Ge(time.Date(2024, 3, 2, 0, 0, 0, 0, time.UTC)),
		),
	)
	b, err := predicate.Bind(x, orders())
	if err != nil {
		panic(err)
	}
	for _, c := range b.Columns {
		fmt.Println(c.Name)
	}
	fmt.Println(b)
	// Output:
	// order_date
	// status
	// shipped_at
	// order_date >= DATE '2024-03-01' AND order_date <= DATE '2024-03-14' AND (status IN ('delivered', 'shipped') OR shipped_at >= TIMESTAMP '2024-03-02 00:00:00')
}

// An error shows where the text is wrong.
func ExampleError() {
	_, err := predicate.Parse("order_id = 5 GROUP BY status")
	var e *predicate.Error
	if errors.As(err, &e) {
		fmt.Println(e.Excerpt())
		fmt.Println(e)
	}
	// Output:
	// order_id = 5 GROUP BY status
	//              ^
	// expected AND, OR or the end, found GROUP (line 1, column 14); pare reads; give its Arrow output to an engine for the rest
}
