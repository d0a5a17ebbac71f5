package metadata_test

import (
	"fmt"
	"log"
	"os"

	"github.com/parequet/pare/metadata"
)

// The package is given bytes and never reads a file itself: here the caller
// has read all of it, but the footer's bytes would do.
func Example() {
	b, err := os.ReadFile("../testdata/fixtures/codec-zstd.parquet")
	if err != nil {
		log.Fatal(err)
	}
	size := int64(len(b))
	n, err := metadata.FooterLength(b[size-metadata.TailLength:], size)
	if err != nil {
		log.Fatal(err)
	}
	f, err := metadata.ParseFooter(b[size-metadata.TailLength-n:size-metadata.TailLength], size)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(f.NumRows, "rows in", len(f.RowGroups), "row groups")
	for _, col := range f.Schema.Columns {
		fmt.Println(col.Index, col.Name, col.Repetition, col.TypeName())
	}
	c, err := f.RowGroups[0].Chunk(f.Schema.Columns[0])
	if err != nil {
		log.Fatal(err)
	}
	zone, _ := f.ChunkZone(c)
	fmt.Println(c.Codec, c.NumValues, "values from", zone.Lower.Int, "to", zone.Upper.Int)
	// Output:
	// 500 rows in 2 row groups
	// 0 id required INT64 INT(64)
	// 1 noise required DOUBLE
	// 2 text optional BYTE_ARRAY STRING
	// 3 word required BYTE_ARRAY STRING
	// 4 flag optional BOOLEAN
	// ZSTD 250 values from 0 to 249
}
