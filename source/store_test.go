package source_test

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/parequet/pare/source"
	"github.com/parequet/pare/source/sourcetest"
)

// write makes files below a new directory.
func write(t *testing.T, objects map[string][]byte) string {
	t.Helper()
	root := t.TempDir()
	for name, b := range objects {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, b, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func TestDir(t *testing.T) {
	objects := sourcetest.Objects()
	root := write(t, objects)
	if err := os.Mkdir(filepath.Join(root, "empty"), 0o755); err != nil {
		t.Fatal(err)
	}
	sourcetest.RunStore(t, source.Dir(root), objects)
	sourcetest.RunStore(t, source.Dir(root+"/"), objects)
}

func TestDirLinks(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("symbolic links need rights")
	}
	root := write(t, map[string][]byte{"a/file": []byte("text")})
	for name, target := range map[string]string{
		"a/loop": "..", "a/self": "self", "dangling": "nothing", "link": "a/file", "a/dir": ".",
	} {
		if err := os.Symlink(target, filepath.Join(root, name)); err != nil {
			t.Fatal(err)
		}
	}
	for prefix, want := range map[string][]string{"": {"a/file", "link"}, "a/dir/": nil, "l": {"link"}} {
		var got []string
		err := source.Dir(root).List(t.Context(), prefix, func(o source.Object) error {
			got = append(got, o.Name)
			return nil
		})
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%q: %q, %v", prefix, got, err)
		}
	}
	s, err := source.Dir(root).Open(t.Context(), "link")
	if err != nil {
		t.Fatal(err)
	}
	defer s.(*source.File).Close()
	if n, err := s.Size(t.Context()); n != 4 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
}

func TestDirErrors(t *testing.T) {
	root := write(t, map[string][]byte{"file": []byte("text"), "dir/file": nil})
	for _, name := range []string{"../file", "/file", "", ".", "dir", "dir/../file", "file/x"} {
		if _, err := source.Dir(filepath.Join(root, "dir")).Open(t.Context(), name); err == nil {
			t.Errorf("%q was opened", name)
		}
	}
	for name, says := range map[string]string{"none": "no such file", "file": "is not a directory"} {
		root := filepath.Join(root, name)
		err := source.Dir(root).List(t.Context(), "", func(source.Object) error { return nil })
		if err == nil || !strings.Contains(err.Error(), says) || strings.Count(err.Error(), root) != 1 {
			t.Errorf("listing %s: %v", name, err)
		}
	}
}
