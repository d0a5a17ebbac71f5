package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/parequet/pare/bench/peer"
)

// reader is one of those that are compared.
type reader struct {
	name string
	argv []string
	why  string // why it is absent, "" if it is there
}

// engines are the readers that are whole query engines.
var engines = []string{"DuckDB", "chdb", "Polars", "DataFusion"}

// build makes the readers' programs in dir.
func build(dir string) ([]reader, error) {
	bin := filepath.Join(dir, "bin")
	goBuild := func(name string, args ...string) error {
		cmd := exec.Command("go", append(append([]string{"build"}, args...), "-o", filepath.Join(bin, name), "./cmd/"+name)...)
		cmd.Env = append(os.Environ(), "GOWORK=off")
		cmd.Stderr = os.Stderr
		return cmd.Run()
	}
	var out []reader
	for _, name := range []string{"pare", "parquet-go", "arrow-go"} {
		if err := goBuild("peer-" + name); err != nil {
			return nil, fmt.Errorf("building the reader %s: %w (run this in the folder bench)", name, err)
		}
		out = append(out, reader{name: name, argv: []string{filepath.Join(bin, "peer-"+name)}})
	}
	duck := reader{name: "DuckDB", argv: []string{filepath.Join(bin, "peer-duckdb")}}
	if err := goBuild("peer-duckdb", "-tags", "duckdb_arrow"); err != nil {
		duck.why = "it does not build here"
	}
	out = append(out, duck)
	python, err := venv(filepath.Join(dir, "venv"))
	for _, r := range [][2]string{{"pyarrow", "pyarrow"}, {"Polars", "polars"}, {"DataFusion", "datafusion"}, {"chdb", "chdb"}} {
		x := reader{name: r[0], argv: []string{python, "peers/peers.py", r[1]}}
		if err != nil {
			x.why = err.Error()
		}
		out = append(out, x)
	}
	return out, nil
}

// venv installs the pinned packages once and returns the interpreter.
func venv(dir string) (string, error) {
	pins, err := os.ReadFile("peers/requirements.txt")
	if err != nil {
		return "", err
	}
	python, stamp := filepath.Join(dir, "bin", "python"), filepath.Join(dir, "installed")
	if have, err := os.ReadFile(stamp); err == nil && string(have) == string(pins) {
		return python, nil
	}
	for _, argv := range [][]string{{"python3", "-m", "venv", dir}, {python, "-m", "pip", "install", "-q", "-r", "peers/requirements.txt"}} {
		cmd := exec.Command(argv[0], argv[1:]...)
		cmd.Stderr = os.Stderr
		if err := cmd.Run(); err != nil {
			return "", fmt.Errorf("%s: %w", strings.Join(argv, " "), err)
		}
	}
	return python, os.WriteFile(stamp, pins, 0o644)
}

// process is a running reader.
type process struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Scanner
}

// start runs a reader that may use so many threads, behind the words of
// prefix. One thread means one processor, which it cannot leave.
func (r reader) start(threads int, prefix ...string) (*process, error) {
	argv := append(prefix, r.argv...)
	if path, err := exec.LookPath("taskset"); err == nil && threads == 1 {
		argv = append([]string{path, "-c", "1"}, argv...)
	}
	p := &process{cmd: exec.Command(argv[0], argv[1:]...)}
	p.cmd.Env = append(os.Environ(), "GOMAXPROCS="+strconv.Itoa(threads), "POLARS_MAX_THREADS="+strconv.Itoa(threads), "TOKIO_WORKER_THREADS="+strconv.Itoa(threads))
	var err error
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p.out = bufio.NewScanner(out)
	p.out.Buffer(nil, 1<<20)
	return p, p.cmd.Start()
}

// run has a task done.
func (p *process) run(t peer.Task) (r peer.Result, err error) {
	b, err := json.Marshal(t)
	if err != nil {
		return r, err
	}
	if _, err := p.in.Write(append(b, '\n')); err != nil {
		return r, err
	}
	if !p.out.Scan() {
		return r, fmt.Errorf("it ended: %v", p.out.Err())
	}
	if err := json.Unmarshal(p.out.Bytes(), &r); err != nil {
		return r, err
	}
	if r.Error != "" {
		return r, fmt.Errorf("%s", r.Error)
	}
	return r, nil
}

// peak is the most memory that the process has had resident so far, in bytes,
// from its start or from the last reset.
func (p *process) peak() int64 {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid))
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(b)) {
		if rest, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			kib, _ := strconv.ParseInt(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(rest), "kB")), 10, 64)
			return kib << 10
		}
	}
	return 0
}

func (p *process) stop() {
	p.in.Close()
	p.cmd.Wait()
}
