package pare

import (
	"bytes"
	"container/list"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/parequet/pare/metadata"
)

// Cache keeps footers and parts of page indexes, so that a second query of a file
// does not read them. Entries belong to a version of a file, by its identity; a
// file without one is not cached. It is safe for concurrent use, a folder also by
// several processes.
type Cache struct {
	budget int64
	dir    string

	mu      sync.Mutex
	size    int64
	entries map[string]*list.Element
	recent  *list.List // of cacheEntry, the latest first
	written int64      // bytes since the folder was last looked at
}

type cacheEntry struct {
	key   string
	value []byte
}

const defaultCacheBudget = 64 << 20

// NewCache makes a cache of at most budget bytes in memory, 0 for 64 MiB; and of at
// most as many again, if dir is not empty, in the files of a folder, which is made
// if it does not exist. Files in it that are damaged are not used.
func NewCache(budget int64, dir string) (*Cache, error) {
	if budget <= 0 {
		budget = defaultCacheBudget
	}
	if dir != "" {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return nil, fmt.Errorf("cache: %w", err)
		}
	}
	return &Cache{budget: budget, dir: dir, entries: map[string]*list.Element{}, recent: list.New()}, nil
}

// get returns what is kept under a key. It must not be changed.
func (c *Cache) get(key string) ([]byte, bool) {
	if c == nil {
		return nil, false
	}
	c.mu.Lock()
	if e, ok := c.entries[key]; ok {
		c.recent.MoveToFront(e)
		c.mu.Unlock()
		return e.Value.(*cacheEntry).value, true
	}
	c.mu.Unlock()
	if c.dir == "" {
		return nil, false
	}
	b, err := os.ReadFile(c.path(key))
	if err != nil {
		return nil, false
	}
	value, ok := decodeEntry(b, key)
	if ok {
		c.keep(key, value)
	}
	return value, ok
}

// put keeps a value, which must not be changed afterwards.
func (c *Cache) put(key string, value []byte) {
	if c == nil || int64(len(value)) > c.budget/4 {
		return
	}
	c.keep(key, value)
	if c.dir != "" {
		c.write(key, value) // a cache that cannot be written to is but slow
	}
}

// keep keeps a value in memory, and lets go of those used longest ago.
func (c *Cache) keep(key string, value []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, again := c.entries[key]; again {
		return
	}
	c.entries[key] = c.recent.PushFront(&cacheEntry{key, value})
	c.size += c.cost(key, value)
	for c.size > c.budget {
		last := c.recent.Back()
		e := last.Value.(*cacheEntry)
		c.recent.Remove(last)
		delete(c.entries, e.key)
		c.size -= c.cost(e.key, e.value)
	}
}

// cost is what an entry counts as: its own bytes and those of keeping it.
func (c *Cache) cost(key string, value []byte) int64 { return int64(len(key)+len(value)) + 200 }

// Files of the folder are named by their keys' hashes: a magic, the checksum of all
// behind it, the length of the key, the key and the value.
const (
	cacheMagic  = "PARc1"
	cacheSuffix = ".pare-cache"
)

func (c *Cache) path(key string) string {
	sum := sha256.Sum256([]byte(key))
	return filepath.Join(c.dir, hex.EncodeToString(sum[:16])+cacheSuffix)
}

func encodeEntry(key string, value []byte) []byte {
	body := binary.AppendUvarint(nil, uint64(len(key)))
	body = append(append(body, key...), value...)
	out := binary.LittleEndian.AppendUint32([]byte(cacheMagic), crc32.ChecksumIEEE(body))
	return append(out, body...)
}

func decodeEntry(b []byte, key string) ([]byte, bool) {
	head := len(cacheMagic) + 4
	if len(b) < head || string(b[:len(cacheMagic)]) != cacheMagic || binary.LittleEndian.Uint32(b[len(cacheMagic):]) != crc32.ChecksumIEEE(b[head:]) {
		return nil, false
	}
	body := b[head:]
	n, k := binary.Uvarint(body)
	if k <= 0 || n != uint64(len(key)) || uint64(len(body)-k) < n || string(body[k:k+int(n)]) != key {
		return nil, false
	}
	return body[k+int(n):], true
}

// write writes a file beside its place and renames it, so that no process sees a
// part of it.
func (c *Cache) write(key string, value []byte) {
	f, err := os.CreateTemp(c.dir, "new-*"+cacheSuffix)
	if err != nil {
		return
	}
	_, err = f.Write(encodeEntry(key, value))
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), c.path(key))
	}
	if err != nil {
		os.Remove(f.Name())
		return
	}
	c.mu.Lock()
	c.written += int64(len(value))
	look := c.written > c.budget/8
	if look {
		c.written = 0
	}
	c.mu.Unlock()
	if look {
		c.sweep()
	}
}

// sweep removes the oldest files of the folder, down to its budget, and what writers
// that were interrupted left.
func (c *Cache) sweep() {
	type file struct {
		path string
		size int64
		mod  time.Time
	}
	var files []file
	total := int64(0)
	list, err := os.ReadDir(c.dir)
	if err != nil {
		return
	}
	for _, d := range list {
		info, err := d.Info()
		if err != nil || !strings.HasSuffix(d.Name(), cacheSuffix) || info.Mode()&fs.ModeType != 0 {
			continue
		}
		path := filepath.Join(c.dir, d.Name())
		if strings.HasPrefix(d.Name(), "new-") {
			if time.Since(info.ModTime()) > time.Hour {
				os.Remove(path)
			}
			continue
		}
		files = append(files, file{path, info.Size(), info.ModTime()})
		total += info.Size()
	}
	slices.SortFunc(files, func(a, b file) int { return a.mod.Compare(b.mod) })
	for _, f := range files {
		if total <= c.budget {
			return
		}
		if os.Remove(f.path) == nil {
			total -= f.size
		}
	}
}

// cacheKey is that of a part of a version of a file.
func (o Options) cacheKey(part string) string {
	return o.Key + "\x00" + o.Identity + "\x00" + part
}

// cached reports whether the file's metadata can be cached.
func (o Options) cached() bool { return o.Cache != nil && o.Key != "" && o.Identity != "" }

// cachedFooter is the file's end, from its footer on, and its size.
func (f *File) cachedFooter() (footer []byte, size int64, ok bool) {
	if !f.opt.cached() {
		return nil, 0, false
	}
	b, ok := f.opt.Cache.get(f.opt.cacheKey("footer"))
	if !ok || len(b) < 8+metadata.TailLength {
		return nil, 0, false
	}
	return b[8:], int64(binary.LittleEndian.Uint64(b)), true
}

func (f *File) keepFooter(footer []byte, size int64) {
	if f.opt.cached() {
		f.opt.Cache.put(f.opt.cacheKey("footer"), append(binary.LittleEndian.AppendUint64(nil, uint64(size)), footer...))
	}
}

// cells are extents of a file's page indexes that a cache knows.
func (f *File) cells(need []metadata.Extent) (known map[metadata.Extent][]byte, missing []metadata.Extent) {
	if !f.opt.cached() {
		return nil, need
	}
	known = map[metadata.Extent][]byte{}
	for _, e := range need {
		if b, ok := f.opt.Cache.get(f.opt.cacheKey(cellName(e))); ok && int64(len(b)) == e.Length {
			known[e] = b
		} else {
			missing = append(missing, e)
		}
	}
	return known, missing
}

// inHand reports whether an extent's bytes cost nothing.
func (f *File) inHand(e metadata.Extent) bool {
	if f.fetch.InHand(e) || !f.opt.cached() {
		return f.fetch.InHand(e)
	}
	_, ok := f.opt.Cache.get(f.opt.cacheKey(cellName(e)))
	return ok
}

// keepCells keeps what was read of page indexes.
func (f *File) keepCells(es []metadata.Extent, have metadata.Bytes) {
	if !f.opt.cached() {
		return
	}
	for _, e := range es {
		if k := e.Piece.Kind; k != metadata.PieceColumnIndex && k != metadata.PieceOffsetIndex {
			continue
		}
		if b, ok := have.Get(e); ok {
			f.opt.Cache.put(f.opt.cacheKey(cellName(e)), bytes.Clone(b))
		}
	}
}

func cellName(e metadata.Extent) string { return fmt.Sprintf("%d+%d", e.Offset, e.Length) }
