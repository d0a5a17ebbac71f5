package pare_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/parequet/pare"

// pure packages take bytes and give values: they run in a browser, in a fuzz
// target and in a test without a file.
var pure = []string{"metadata", "predicate", "rowrange", "plan", "internal/page", "internal/encoding", "internal/evidence", "internal/membuf", "ndv", "orc"}

// impure is what they may not import.
var impure = []string{"os", "net", "context", "time", "io/fs", "os/exec", "syscall", "net/http"}

// forbidden dependencies would reach every user of the library.
var forbidden = []string{
	"github.com/apache/arrow-go/v18/parquet", "github.com/apache/arrow-go/v18/arrow/compute", "github.com/apache/arrow-go/v18/arrow/flight",
	"google.golang.org/grpc", "github.com/parquet-go/parquet-go", "github.com/duckdb/duckdb-go", "github.com/spf13/cobra",
}

// sourceFiles parses the non-test files below a folder, by package folder.
func sourceFiles(t *testing.T, root string) (*token.FileSet, map[string][]*ast.File) {
	t.Helper()
	fset := token.NewFileSet()
	out := map[string][]*ast.File{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if slices.Contains([]string{"oracle", "bench", "cmd", "testdata", ".git"}, filepath.ToSlash(path)) {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		f, err := parser.ParseFile(fset, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		dir := filepath.ToSlash(filepath.Dir(path))
		out[dir] = append(out[dir], f)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return fset, out
}

func TestPurePackagesStayPure(t *testing.T) {
	fset, packages := sourceFiles(t, ".")
	for _, dir := range pure {
		if len(packages[dir]) == 0 {
			t.Errorf("package %s has no files", dir)
		}
		for _, f := range packages[dir] {
			for _, imp := range f.Imports {
				path, _ := strconv.Unquote(imp.Path.Value)
				if slices.Contains(impure, path) || strings.Contains(path, "arrow-go") {
					t.Errorf("%s: %s imports %s", fset.Position(imp.Pos()), dir, path)
				}
				if rest, ok := strings.CutPrefix(path, module+"/"); ok && !slices.Contains(pure, rest) {
					t.Errorf("%s: %s imports %s, which is not pure", fset.Position(imp.Pos()), dir, rest)
				}
			}
		}
	}
}

// TestOnlyFetchReadsSources looks for calls of a source's methods. They are
// recognised by name, so nothing else may have methods of these names.
func TestOnlyFetchReadsSources(t *testing.T) {
	fset, packages := sourceFiles(t, ".")
	for dir, files := range packages {
		if dir == "internal/fetch" || dir == "source" || strings.HasPrefix(dir, "source/") {
			continue
		}
		for _, f := range files {
			ast.Inspect(f, func(n ast.Node) bool {
				call, ok := n.(*ast.CallExpr)
				if !ok {
					return true
				}
				if sel, ok := call.Fun.(*ast.SelectorExpr); ok && slices.Contains([]string{"ReadAt", "ReadTail"}, sel.Sel.Name) {
					t.Errorf("%s: %s calls %s", fset.Position(call.Pos()), dir, sel.Sel.Name)
				}
				return true
			})
		}
	}
}

func TestForbiddenDependenciesStayOut(t *testing.T) {
	cmd := exec.Command("go", "list", "-deps", "./...")
	cmd.Env = append(cmd.Environ(), "GOWORK=off")
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, dep := range strings.Fields(string(out)) {
		for _, bad := range forbidden {
			if dep == bad || strings.HasPrefix(dep, bad+"/") {
				t.Errorf("the library depends on %s", dep)
			}
		}
	}
}
