package sourcetest

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/parequet/pare/source"
)

// Objects are names that tell the orders of stores apart, and their contents:
// a folder sorts by its slash, and names are compared by their bytes.
func Objects() map[string][]byte {
	out := map[string][]byte{}
	for i, name := range []string{
		"a", "b.parquet", "b/1", "b/2/deep", "b0", "year=2024/month=1/part 0.parquet", "year=2024/month=10/part+1.parquet",
		"year=2024/month=2/50%.parquet", "ä/ö.parquet", "z\u00ff", "z\U0001f600", "z\uffe0",
	} {
		out[name] = bytes.Repeat([]byte(name), 10+i)
	}
	return out
}

// RunStore tests a Store that holds exactly the objects want.
func RunStore(t *testing.T, s source.Store, want map[string][]byte) {
	t.Helper()
	names := slices.Sorted(maps.Keys(want))
	prefixes := []string{"", "none/", "b/2/deep/er", names[0] + "~none", "../", "/"}
	for _, name := range names {
		prefixes = append(prefixes, name, name[:1], name[:(len(name)+1)/2])
		if i := strings.LastIndexByte(name, '/'); i > 0 {
			prefixes = append(prefixes, name[:i], name[:i+1])
		}
	}
	t.Run("list", func(t *testing.T) {
		for _, prefix := range prefixes {
			if strings.ToValidUTF8(prefix, "") == prefix {
				list(t, s, prefix, want)
			}
		}
	})
	t.Run("the caller's error ends a listing", func(t *testing.T) {
		enough, calls := errors.New("enough"), 0
		err := s.List(t.Context(), "", func(source.Object) error { calls++; return enough })
		if err != enough || calls != 1 {
			t.Errorf("%d calls, %v", calls, err)
		}
	})
	t.Run("cancellation of a listing", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := s.List(ctx, "", func(source.Object) error { return nil }); !errors.Is(err, context.Canceled) {
			t.Errorf("List after cancellation: %v", err)
		}
	})
	t.Run("open", func(t *testing.T) { openAll(t, s, want) })
	t.Run("no such object", func(t *testing.T) {
		src, err := s.Open(t.Context(), "none")
		if err == nil {
			err = src.ReadAt(t.Context(), make([]byte, 1), 0)
		}
		if err == nil || source.IsTemporary(err) || strings.Contains(err.Error(), "\n") {
			t.Errorf("reading what is not there: %v", err)
		}
	})
}

func list(t *testing.T, s source.Store, prefix string, want map[string][]byte) {
	t.Helper()
	var got, names []string
	err := s.List(t.Context(), prefix, func(o source.Object) error {
		got = append(got, o.Name)
		if o.Size != int64(len(want[o.Name])) || o.Identity == "" {
			t.Errorf("%+v, want %d bytes", o, len(want[o.Name]))
		}
		return nil
	})
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if strings.HasPrefix(name, prefix) {
			names = append(names, name)
		}
	}
	if err != nil || !slices.Equal(got, names) {
		t.Errorf("List %q: %v, %q, want %q", prefix, err, got, names)
	}
}

// openAll reads every object; a source says the identity that the listing said.
func openAll(t *testing.T, s source.Store, want map[string][]byte) {
	err := s.List(t.Context(), "", func(o source.Object) error {
		src, err := s.Open(t.Context(), o.Name)
		if err != nil {
			return err
		}
		if c, ok := src.(interface{ Close() error }); ok {
			defer c.Close()
		}
		p := make([]byte, o.Size)
		if err := src.ReadAt(t.Context(), p, 0); err != nil || !bytes.Equal(p, want[o.Name]) {
			t.Errorf("%q: %v", o.Name, err)
		}
		if id, ok := src.(source.Identifier); ok && id.Identity() != o.Identity {
			t.Errorf("%q: identity %q, the listing says %q", o.Name, id.Identity(), o.Identity)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}
