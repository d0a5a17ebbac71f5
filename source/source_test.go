package source_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/parequet/pare/source"
	"github.com/parequet/pare/source/sourcetest"
)

func object() []byte {
	b := make([]byte, 5000)
	for i := range b {
		b[i] = byte(i * i >> 3)
	}
	return b
}

func TestMemory(t *testing.T) {
	sourcetest.Run(t, func() source.Source { return source.Memory(object()) }, object())
}

func TestFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "object")
	if err := os.WriteFile(name, object(), 0o644); err != nil {
		t.Fatal(err)
	}
	sourcetest.Run(t, func() source.Source {
		f, err := source.OpenFile(name)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { f.Close() })
		return f
	}, object())
}

func TestDirectoryIsRefused(t *testing.T) {
	if _, err := source.OpenFile(t.TempDir()); err == nil {
		t.Fatal("a directory was opened")
	}
}
