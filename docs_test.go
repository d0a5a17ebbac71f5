package pare_test

import (
	"go/ast"
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestArchitectureNamesWhatExists: every path and every Go identifier that the
// document puts in backquotes is there.
func TestArchitectureNamesWhatExists(t *testing.T) {
	text, err := os.ReadFile("docs/ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	declared := declaredNames(t)
	identifier := regexp.MustCompile(`^[A-Za-z]\w*(\.[A-Za-z]\w*)*(\(.*\))?$`)
	for _, m := range regexp.MustCompile("`([^`\n]+)`").FindAllStringSubmatch(string(text), -1) {
		name := m[1]
		if _, err := os.Stat(name); err == nil {
			continue
		}
		if !identifier.MatchString(name) {
			t.Errorf("%q is neither a path nor an identifier", name)
			continue
		}
		name, _, _ = strings.Cut(name, "(")
		parts := strings.Split(name, ".")
		for _, p := range parts {
			if !declared[p] && !standard[p] {
				t.Errorf("%q: nothing is called %s", m[1], p)
			}
		}
	}
}

// standard are names that are not the project's own.
var standard = map[string]bool{"os": true, "net": true, "context": true, "time": true, "false": true, "replace": true}

// declaredNames collects packages, types, functions, methods, fields, values.
func declaredNames(t *testing.T) map[string]bool {
	_, packages := sourceFiles(t, ".")
	out := map[string]bool{}
	for _, files := range packages {
		for _, f := range files {
			out[f.Name.Name] = true
			ast.Inspect(f, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.FuncDecl:
					out[n.Name.Name] = true
				case *ast.TypeSpec:
					out[n.Name.Name] = true
				case *ast.Field:
					for _, name := range n.Names {
						out[name.Name] = true
					}
				case *ast.ValueSpec:
					for _, name := range n.Names {
						out[name.Name] = true
					}
				}
				return true
			})
		}
	}
	return out
}

// TestReadmeShowsWhatExplainPrints: the README's example is the golden text.
func TestReadmeShowsWhatExplainPrints(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	golden, err := os.ReadFile("cmd/pare/testdata/golden/explain-paged.txt")
	if err != nil {
		t.Fatal(err)
	}
	_, body, _ := strings.Cut(string(golden), "\n")
	if !strings.Contains(string(readme), strings.TrimSpace(body)) {
		t.Error("the README's explain output is not what the command prints")
	}
}
