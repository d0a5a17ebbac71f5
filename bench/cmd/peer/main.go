// Command peer runs the tasks of the benchmark with one of the readers that
// are written in Go: pare, arrow-go or parquet-go.
package main

import (
	"fmt"
	"os"

	"github.com/parequet/pare/bench/peer"
)

func main() {
	readers := map[string]func(peer.Task) (peer.Answer, error){"pare": pareTask, "arrow-go": arrowTask, "parquet-go": parquetTask}
	if len(os.Args) != 2 || readers[os.Args[1]] == nil {
		fmt.Fprintln(os.Stderr, "usage: peer pare|arrow-go|parquet-go")
		os.Exit(2)
	}
	peer.Serve(readers[os.Args[1]])
}
