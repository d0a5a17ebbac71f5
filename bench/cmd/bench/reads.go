package main

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

var call = regexp.MustCompile(`(read|pread64|readv|preadv|preadv2)\(\d+<([^>]*)>.* = (\d+)`)

// countReads runs a work once under strace and counts what is read of its
// file. What a reader maps into memory cannot be seen so.
func countReads(r reader, w work, m *measured) {
	strace, err := exec.LookPath("strace")
	if err != nil {
		return
	}
	dir, err := os.MkdirTemp("", "reads")
	if err != nil {
		return
	}
	defer os.RemoveAll(dir)
	log := filepath.Join(dir, "log")
	p, err := r.start(w.threads(), strace, "-f", "-y", "-q", "-s", "0", "-o", log, "-e", "trace=read,pread64,readv,preadv,preadv2,mmap")
	if err != nil {
		return
	}
	_, err = p.run(w.task)
	p.stop()
	f, ferr := os.Open(log)
	if err != nil || ferr != nil {
		return
	}
	defer f.Close()
	m.reads = 0
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	pending := map[string]bool{} // threads whose read of the file is not yet finished
	for lines.Scan() {
		line := lines.Text()
		pid, _, _ := strings.Cut(line, " ")
		switch {
		case strings.Contains(line, "mmap("):
			m.mapped = m.mapped || strings.Contains(line, "<"+w.task.File+">")
		case strings.Contains(line, "<unfinished") && strings.Contains(line, "<"+w.task.File+">"):
			pending[pid] = true
		case strings.Contains(line, "resumed>") && pending[pid]:
			delete(pending, pid)
			if i := strings.LastIndex(line, " = "); i >= 0 {
				if n, err := strconv.ParseInt(strings.Fields(line[i+3:])[0], 10, 64); err == nil {
					m.reads, m.bytes = m.reads+1, m.bytes+n
				}
			}
		default:
			if c := call.FindStringSubmatch(line); c != nil && c[2] == w.task.File {
				n, _ := strconv.ParseInt(c[3], 10, 64)
				m.reads, m.bytes = m.reads+1, m.bytes+n
			}
		}
	}
}
