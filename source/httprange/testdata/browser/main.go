//go:build js

// Command browser runs a query in a browser and posts what came of it to the server
// that its page is from.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"syscall/js"

	"github.com/parequet/pare"
	"github.com/parequet/pare/predicate"
	"github.com/parequet/pare/report"
	"github.com/parequet/pare/source/httprange"
)

// result is what is posted.
type result struct {
	Error         string
	Rows          int64
	Before, After report.Receipt
}

func main() {
	var out result
	if err := run(&out); err != nil {
		out.Error = err.Error()
	}
	b, err := json.Marshal(out)
	if err != nil {
		panic(err)
	}
	at, _ := url.Parse(js.Global().Get("location").Get("href").String())
	at = at.JoinPath("/result")
	if _, err := http.Post(at.String(), "application/json", bytes.NewReader(b)); err != nil {
		panic(err)
	}
}

func run(out *result) error {
	at, err := url.Parse(js.Global().Get("location").Get("href").String())
	if err != nil {
		return err
	}
	src, err := httprange.New(at.Query().Get("file"), httprange.Options{})
	if err != nil {
		return err
	}
	where, err := predicate.Parse(at.Query().Get("where"))
	if err != nil {
		return err
	}
	ctx := context.Background()
	f, err := pare.Open(ctx, src, pare.Options{Tail: 8})
	if err != nil {
		return err
	}
	p, err := f.Plan(ctx, pare.Query{Where: where})
	if err != nil {
		return err
	}
	out.Before = p.Receipt()
	s := p.Scan(ctx)
	for batch, err := range s.Batches() {
		if err != nil {
			return err
		}
		out.Rows += batch.NumRows()
		batch.Release()
	}
	out.After = s.Receipt()
	return nil
}
