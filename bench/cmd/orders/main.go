// Command orders writes a large file of orders for measurements by hand.
package main

import (
	"flag"
	"fmt"
	"log"

	"github.com/apache/arrow-go/v18/parquet/compress"

	"github.com/parequet/pare/bench/orders"
)

func main() {
	dir := flag.String("dir", ".", "where to write")
	rows := flag.Int("rows", 20_000_000, "rows")
	group := flag.Int("group", 1_000_000, "rows of a row group, 0 for one row group")
	codec := flag.String("codec", "zstd", "zstd, snappy or none")
	index := flag.Bool("index", true, "with a page index")
	shuffled := flag.Bool("shuffled", false, "in no order, instead of rising in time")
	flag.Parse()
	codecs := map[string]compress.Compression{"zstd": compress.Codecs.Zstd, "snappy": compress.Codecs.Snappy, "none": compress.Codecs.Uncompressed}
	path, err := orders.Ensure(*dir, orders.Spec{Rows: *rows, GroupLen: *group, Codec: codecs[*codec], Index: *index, Shuffled: *shuffled})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(path)
}
