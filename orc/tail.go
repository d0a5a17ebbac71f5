package orc

import (
	"fmt"
	"strings"

	"google.golang.org/protobuf/encoding/protowire"
)

// TailLength is how many bytes of a file's end hold its postscript at most.
const TailLength = 256

// PostScript says how to read the rest of the tail.
type PostScript struct {
	Length         int64 // of itself, with the byte that tells it
	FooterLength   int64
	MetadataLength int64 // of the stripe statistics
	Codec          Codec
	Block          int64 // bytes of a compression block
	WriterVersion  uint64
}

// ParsePostScript reads the postscript at the end of a file.
func ParsePostScript(tail []byte, fileSize int64) (p PostScript, err error) {
	if len(tail) == 0 {
		return p, fmt.Errorf("not an ORC file: it is empty")
	}
	n := int(tail[len(tail)-1])
	if n == 0 || n+1 > len(tail) {
		return p, fmt.Errorf("not an ORC file: a postscript of %d bytes", n)
	}
	p.Length = int64(n) + 1
	magic := ""
	err = eachField(tail[len(tail)-1-n:len(tail)-1], func(f field) error {
		switch f.id {
		case 1:
			p.FooterLength = int64(f.num)
		case 2:
			p.Codec = Codec(min(f.num, 255))
		case 3:
			p.Block = int64(f.num)
		case 5:
			p.MetadataLength = int64(f.num)
		case 6:
			p.WriterVersion = f.num
		case 8000:
			magic = string(f.bytes)
		}
		return nil
	})
	if p.Block == 0 {
		p.Block = 256 << 10
	}
	left := fileSize - p.Length
	switch {
	case err != nil || magic != "ORC" && magic != "": // some writers leave it out
		return p, fmt.Errorf("not an ORC file: its postscript does not end it")
	case p.FooterLength <= 0 || p.FooterLength > left:
		return p, fmt.Errorf("a footer of %d bytes in a file of %d", p.FooterLength, fileSize)
	case p.MetadataLength < 0 || p.MetadataLength > left-p.FooterLength:
		return p, fmt.Errorf("stripe statistics of %d bytes in a file of %d", p.MetadataLength, fileSize)
	}
	return p, nil
}

// Kind is the type of a column.
type Kind uint8

const (
	Boolean Kind = iota
	Byte
	Short
	Int
	Long
	Float
	Double
	String
	Binary
	Timestamp
	List
	Map
	Struct
	Union
	Decimal
	Date
	Varchar
	Char
	TimestampInstant
)

func (k Kind) String() string {
	names := [...]string{"boolean", "tinyint", "smallint", "int", "bigint", "float", "double", "string", "binary", "timestamp", "array", "map",
		"struct", "uniontype", "decimal", "date", "varchar", "char", "timestamp with local time zone"}
	if int(k) < len(names) {
		return names[k]
	}
	return fmt.Sprintf("kind %d", k)
}

// Column is a node of the schema. Columns are numbered in pre-order; number 0
// is the root.
type Column struct {
	Kind             Kind
	Name             string // of a field of a struct; dotted below the root
	Children         []int
	Precision, Scale int
	InList           bool // below a list, a map or a union: it need not have a value a row
}

// Leaf reports whether the column has values of its own.
func (c *Column) Leaf() bool {
	return c.Kind != List && c.Kind != Map && c.Kind != Struct && c.Kind != Union
}

// Stripe is the place of a stripe.
type Stripe struct {
	Offset, IndexLength, DataLength, FooterLength, Rows int64
}

// FooterOffset is where the stripe's footer begins.
func (s *Stripe) FooterOffset() int64 { return s.Offset + s.IndexLength + s.DataLength }

// File is the metadata of a file.
type File struct {
	PostScript
	Size       int64
	Columns    []Column
	Stripes    []Stripe
	Rows       int64
	Statistics []Statistics   // of each column, of the whole file
	ByStripe   [][]Statistics // of each column in each stripe; empty if absent
	Stride     int64          // rows between two entries of a row index
	Software   string
	Encrypted  bool
}

// ParseFooter reads the footer and the stripe statistics. tail is the end of
// the file, with both.
func ParseFooter(p PostScript, tail []byte, fileSize int64) (*File, error) {
	f := &File{PostScript: p, Size: fileSize}
	end := int64(len(tail)) - p.Length
	if p.Length < 0 || p.FooterLength < 0 || p.MetadataLength < 0 || p.FooterLength > end || p.MetadataLength > end-p.FooterLength {
		return nil, fmt.Errorf("footer: %d bytes of the file's end do not hold it", len(tail))
	}
	footer, err := Decompress(p.Codec, p.Block, tail[end-p.FooterLength:end])
	if err == nil {
		err = f.footer(footer)
	}
	if err != nil {
		return nil, fmt.Errorf("footer: %w", err)
	}
	meta, err := Decompress(p.Codec, p.Block, tail[end-p.FooterLength-p.MetadataLength:end-p.FooterLength])
	if err == nil {
		err = f.stripeStatistics(meta)
	}
	if err != nil {
		return nil, fmt.Errorf("stripe statistics: %w", err)
	}
	return f, nil
}

func (f *File) footer(b []byte) error {
	var writer uint64
	err := eachField(b, func(x field) (err error) {
		switch x.id {
		case 3:
			s, err := parseStripe(x.bytes)
			if err == nil && (s.Offset < 0 || s.Offset > f.Size || s.IndexLength < 0 || s.DataLength < 0 || s.FooterLength < 0 || s.Rows < 0 ||
				s.IndexLength > f.Size || s.DataLength > f.Size || s.FooterLength > f.Size || s.FooterOffset() > f.Size-s.FooterLength) {
				err = fmt.Errorf("stripe %d lies outside the file", len(f.Stripes))
			}
			if n := len(f.Stripes); err == nil && n > 0 && s.Offset < f.Stripes[n-1].FooterOffset()+f.Stripes[n-1].FooterLength {
				err = fmt.Errorf("stripe %d overlaps the one before", n)
			}
			f.Stripes = append(f.Stripes, s)
			return err
		case 4:
			c, err := parseType(x.bytes)
			f.Columns = append(f.Columns, c)
			return err
		case 6:
			f.Rows = int64(x.num)
		case 7:
			s, err := parseStatistics(x.bytes)
			f.Statistics = append(f.Statistics, s)
			return err
		case 8:
			f.Stride = int64(x.num)
		case 9:
			writer = x.num
		case 10:
			f.Encrypted = true
		case 12:
			f.Software = string(x.bytes)
		}
		return nil
	})
	if err != nil {
		return err
	}
	if writers := [...]string{"Java", "C++", "Presto", "Go", "Trino", "cuDF"}; int(min(writer, 100)) < len(writers) {
		f.Software = strings.TrimSpace("ORC " + writers[writer] + " " + f.Software)
	}
	return f.settle()
}

// maxNames bounds the dotted names: each repeats those above it.
const maxNames = 64 << 20

// settle checks the tree of types, names its columns and adds the rows up.
func (f *File) settle() error {
	if len(f.Columns) == 0 {
		return fmt.Errorf("it has no columns")
	}
	seen, names := make([]bool, len(f.Columns)), 0
	var walk func(i, depth int, name string, inList bool) error
	walk = func(i, depth int, name string, inList bool) error {
		if i <= 0 && depth > 0 || i >= len(f.Columns) || seen[i] || depth > 1000 {
			return fmt.Errorf("its types are no tree")
		}
		seen[i] = true
		c := &f.Columns[i]
		fields := strings.Split(c.Name, "\x00") // as parseType leaves them
		c.Name, c.InList = name, inList
		for k, child := range c.Children {
			sub := [...]string{"element", "value"}[k%2]
			if c.Kind == Map && k == 0 {
				sub = "key"
			}
			if c.Kind == Struct {
				if k >= len(fields) {
					return fmt.Errorf("a struct of %d fields names %d", len(c.Children), len(fields))
				}
				sub = fields[k]
			}
			if name != "" {
				sub = name + "." + sub
			}
			if names += len(sub); names > maxNames {
				return fmt.Errorf("the names of its columns take more than %d bytes", maxNames)
			}
			if err := walk(child, depth+1, sub, inList || c.Kind != Struct); err != nil {
				return err
			}
		}
		return nil
	}
	if err := walk(0, 0, "", false); err != nil {
		return err
	}
	var rows int64
	for _, s := range f.Stripes {
		if rows += s.Rows; rows < 0 {
			return fmt.Errorf("more rows than can be counted")
		}
	}
	f.Rows = rows
	return nil
}

func parseStripe(b []byte) (s Stripe, err error) {
	err = eachField(b, func(x field) error {
		if to := map[protowire.Number]*int64{1: &s.Offset, 2: &s.IndexLength, 3: &s.DataLength, 4: &s.FooterLength, 5: &s.Rows}[x.id]; to != nil {
			*to = int64(x.num)
		}
		return nil
	})
	return s, err
}

// parseType leaves the names of the fields of a struct joined in Name.
func parseType(b []byte) (c Column, err error) {
	var names []string
	err = eachField(b, func(x field) (err error) {
		switch x.id {
		case 1:
			c.Kind = Kind(min(x.num, 255))
		case 2:
			var ids []uint64
			ids, err = varints(nil, x)
			for _, id := range ids {
				c.Children = append(c.Children, int(min(id, 1<<31)))
			}
		case 3:
			names = append(names, strings.ReplaceAll(string(x.bytes), "\x00", ""))
		case 5:
			c.Precision = int(min(x.num, 1000))
		case 6:
			c.Scale = int(min(x.num, 1000))
		}
		return err
	})
	c.Name = strings.Join(names, "\x00")
	return c, err
}

func (f *File) stripeStatistics(b []byte) error {
	return eachField(b, func(x field) error {
		if x.id != 1 {
			return nil
		}
		var all []Statistics
		err := eachField(x.bytes, func(y field) error {
			if y.id != 1 {
				return nil
			}
			s, err := parseStatistics(y.bytes)
			all = append(all, s)
			return err
		})
		f.ByStripe = append(f.ByStripe, all)
		return err
	})
}
