package corpus

import (
	"os"
	"path/filepath"
	"strings"
)

// Inventory lists the Parquet files of a corpus, which is a folder with an
// INVENTORY.tsv, by their paths below it.
func Inventory(root string) ([]string, error) {
	b, err := os.ReadFile(filepath.Join(root, "INVENTORY.tsv"))
	if err != nil {
		return nil, err
	}
	lines := strings.Split(strings.TrimSuffix(string(b), "\n"), "\n")
	place := map[string]int{}
	for i, name := range strings.Split(lines[0], "\t") {
		place[name] = i
	}
	var out []string
	for _, line := range lines[1:] {
		fields := strings.Split(line, "\t")
		if fields[place["format"]] == "parquet" {
			out = append(out, fields[place["path"]])
		}
	}
	return out, nil
}

const nesting = "apache+impala/testdata/max_nesting_depth/parquet/"

// hangs are the files that an oracle does not come back from and that are not
// given to it. Their schemas nest some thousand levels deep, and none has a
// flat column.
var hangs = map[Oracle][]string{
	ArrowGo: {nesting + "int_map/file.parq", nesting + "struct_map/file.parq"},
	Duck:    {nesting + "int_map/file.parq", nesting + "struct_map/file.parq", nesting + "int_array/file.parq", nesting + "struct_array/file.parq"},
}
