package ndvbench

import (
	"context"
	"database/sql"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/parequet/pare"
	"github.com/parequet/pare/metadata"
	"github.com/parequet/pare/oracle/property/engines"
	"github.com/parequet/pare/source"
)

// dishonest are parts of the paths of files that are damaged, or whose metadata
// contradicts their rows.
var dishonest = []string{"corrupt", "bad_", "fuzz", "lying", "broken", "malicious", "invalid", "mismatch", "h2oai_group_small"}

// Real scores the flat columns of a folder of Parquet files, of at least so
// many rows. DuckDB counts the truth.
func (b *Board) Real(ctx context.Context, root string, rows int64, progress io.Writer) error {
	const most = 8 << 20 // bytes of a file
	var paths []string
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && strings.Contains(path, ".parq") && !slices.ContainsFunc(dishonest, func(s string) bool { return strings.Contains(path, s) }) {
			paths = append(paths, path)
		}
		return err
	})
	if err != nil {
		return err
	}
	columns := 0
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		f, err := pare.Open(ctx, source.Memory(data), pare.Options{})
		if err != nil || f.NumRows() < rows || len(data) > most || f.NumRows() > 1<<22 {
			continue
		}
		n, err := b.realFile(ctx, strings.TrimPrefix(path, root), path, f, data)
		if err != nil {
			fmt.Fprintf(progress, "real: %s: %v\n", path, err)
		}
		columns += n
	}
	fmt.Fprintf(progress, "real: %d columns\n", columns)
	return nil
}

func (b *Board) realFile(ctx context.Context, name, path string, f *pare.File, data []byte) (columns int, err error) {
	db, err := engines.OpenDuckDB()
	if err != nil {
		return 0, err
	}
	defer db.Close()
	all, err := Guesses(ctx, data)
	if err != nil {
		return 0, err
	}
	seen := map[string]bool{}
	for k, col := range f.Metadata().Schema.Columns {
		lower := strings.ToLower(col.Name)
		if !col.Flat() || col.Order == metadata.OrderNone || seen[lower] {
			continue
		}
		seen[lower] = true
		var truth sql.NullInt64
		query := fmt.Sprintf("SELECT count(DISTINCT %s) FROM read_parquet(%s, hive_partitioning=false)", engines.QuoteName(col.Name), engines.QuoteText(path))
		if err := db.QueryRowContext(ctx, query).Scan(&truth); err != nil || !truth.Valid {
			continue
		}
		usage, err := usageOf(data, k)
		if err != nil {
			return columns, err
		}
		columns++
		groups := []string{"real"}
		if usage == inBudget {
			groups, usage = append(groups, "real: "+inBudget), "dictionary"
		}
		b.Add(all[k], truth.Int64, name+": "+col.Name, append(groups, "real: "+usage)...)
		if usage == "dictionary" {
			b.Add(all[k], truth.Int64, name+": "+col.Name, "dictionary columns, real and held-out")
		}
	}
	return columns, nil
}
