package main

import (
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync"
	"time"
)

// server is a web server of files that lets every request wait, and counts.
type server struct {
	base  string
	delay time.Duration
	srv   *http.Server

	mu       sync.Mutex
	requests int64
	bytes    int64
	rounds   int
	open     int  // requests that wait or are answered now
	ended    bool // one of the current round has ended
}

// serve starts the server.
func serve(delay time.Duration) (*server, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s := &server{base: "http://" + l.Addr().String(), delay: delay}
	s.srv = &http.Server{Handler: s}
	go s.srv.Serve(l)
	return s, nil
}

// url returns the address of a local file.
func (s *server) url(path string) string { return s.base + (&url.URL{Path: path}).EscapedPath() }

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.begin()
	defer s.end()
	time.Sleep(s.delay)
	f, err := os.Open(strings.TrimSuffix(r.URL.Path, "/"))
	if err != nil {
		http.Error(w, "no such file", http.StatusNotFound)
		return
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil || st.IsDir() {
		http.Error(w, "no such file", http.StatusNotFound)
		return
	}
	http.ServeContent(&counting{w, s}, r, "", st.ModTime(), f)
}

// begin counts a request. A round begins with the first request after one of
// the round before has been answered: it may have waited for that answer.
func (s *server) begin() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.rounds == 0 || s.ended {
		s.rounds++
		s.ended = false
	}
	s.requests++
	s.open++
}

func (s *server) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open--
	s.ended = true
}

func (s *server) reset() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests, s.bytes, s.rounds, s.ended = 0, 0, 0, false
}

func (s *server) counts() (requests, bytes int64, rounds int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.requests, s.bytes, s.rounds
}

type counting struct {
	http.ResponseWriter
	s *server
}

func (c *counting) Write(p []byte) (int, error) {
	n, err := c.ResponseWriter.Write(p)
	c.s.mu.Lock()
	c.s.bytes += int64(n)
	c.s.mu.Unlock()
	return n, err
}
