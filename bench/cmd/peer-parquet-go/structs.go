package main

import (
	"errors"
	"io"

	"github.com/parquet-go/parquet-go"

	"github.com/parequet/pare/bench/peer"
)

// row is a row of the nested file, see orders.NestedSchema.
type row struct {
	ID       int64              `parquet:"id"`
	Customer *customer          `parquet:"customer,optional"`
	Items    []item             `parquet:"items,optional,list"`
	Tags     []*string          `parquet:"tags,optional,list"`
	Attrs    map[string]*string `parquet:"attrs,optional"`
}

type customer struct {
	Name    string   `parquet:"name"`
	Address *address `parquet:"address,optional"`
}

type address struct {
	City string `parquet:"city"`
	Zip  int32  `parquet:"zip"`
}

type item struct {
	SKU   string  `parquet:"sku"`
	Qty   *int32  `parquet:"qty,optional"`
	Price float64 `parquet:"price"`
}

// totals are the figures of sums.Nested by name.
type totals struct {
	rows, ids                                              float64
	customers, names, addresses, cities, zips              float64
	items, skus, quantities, quantity, price               float64
	tags, tagged, tagBytes, attrs, keys, values, valueSize float64
}

// structsTask reads all rows into structs.
func structsTask(f *parquet.File, task peer.Task) (a peer.Answer, err error) {
	rd := parquet.NewGenericReader[row](f)
	defer rd.Close()
	buf := make([]row, 1024)
	var t totals
	for {
		for i := range buf {
			clear(buf[i].Attrs) // Read adds to maps
		}
		n, err := rd.Read(buf)
		t.rows += float64(n)
		for i := range buf[:n] {
			if task.Check {
				t.add(&buf[i])
			}
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return a, err
		}
	}
	const unknown = peer.Unknown // a slice does not tell null lists from empty ones
	return peer.Answer{Rows: int64(t.rows), Sums: []float64{t.rows, t.ids,
		t.customers, t.customers, t.names, t.addresses, t.addresses, t.cities, t.addresses, t.zips,
		unknown, t.items, t.items, t.items, t.skus, t.quantities, t.quantity, t.items, t.price,
		unknown, t.tags, t.tagged, t.tagBytes,
		unknown, t.attrs, t.attrs, t.attrs, t.keys, t.values, t.valueSize}}, nil
}

func (t *totals) add(r *row) {
	t.ids += float64(r.ID)
	if c := r.Customer; c != nil {
		t.customers++
		t.names += float64(len(c.Name))
		if c.Address != nil {
			t.addresses++
			t.cities += float64(len(c.Address.City))
			t.zips += float64(c.Address.Zip)
		}
	}
	t.items += float64(len(r.Items))
	for i := range r.Items {
		x := &r.Items[i]
		t.skus += float64(len(x.SKU))
		if x.Qty != nil {
			t.quantities++
			t.quantity += float64(*x.Qty)
		}
		t.price += x.Price
	}
	t.tags += float64(len(r.Tags))
	for _, tag := range r.Tags {
		if tag != nil {
			t.tagged++
			t.tagBytes += float64(len(*tag))
		}
	}
	t.attrs += float64(len(r.Attrs))
	for k, v := range r.Attrs {
		t.keys += float64(len(k))
		if v != nil {
			t.values++
			t.valueSize += float64(len(*v))
		}
	}
}
