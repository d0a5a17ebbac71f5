package metadata

import "strconv"

// Type is a physical type (parquet.thrift, Type).
type Type int32

const (
	Boolean           Type = 0
	Int32             Type = 1
	Int64             Type = 2
	Int96             Type = 3
	Float             Type = 4
	Double            Type = 5
	ByteArray         Type = 6
	FixedLenByteArray Type = 7

	noType Type = -1 // a group of the schema
)

// Encoding says how values lie in a page (parquet.thrift, Encoding).
type Encoding int32

const (
	Plain                Encoding = 0
	PlainDictionary      Encoding = 2
	RLE                  Encoding = 3
	BitPacked            Encoding = 4
	DeltaBinaryPacked    Encoding = 5
	DeltaLengthByteArray Encoding = 6
	DeltaByteArray       Encoding = 7
	RLEDictionary        Encoding = 8
	ByteStreamSplit      Encoding = 9
)

// IsDictionary reports whether values are indices into the dictionary page.
func (e Encoding) IsDictionary() bool { return e == PlainDictionary || e == RLEDictionary }

// Codec says how page bodies are compressed (parquet.thrift, CompressionCodec).
type Codec int32

const (
	Uncompressed Codec = 0
	Snappy       Codec = 1
	Gzip         Codec = 2
	LZO          Codec = 3
	Brotli       Codec = 4
	LZ4          Codec = 5
	Zstd         Codec = 6
	LZ4Raw       Codec = 7
)

// PageType is the kind of a page (parquet.thrift, PageType).
type PageType int32

const (
	DataPage       PageType = 0
	IndexPage      PageType = 1
	DictionaryPage PageType = 2
	DataPageV2     PageType = 3
)

// Repetition of a schema element (parquet.thrift, FieldRepetitionType).
type Repetition int32

const (
	Required Repetition = 0
	Optional Repetition = 1
	Repeated Repetition = 2
)

// BoundaryOrder of the pages of a column index. It is never trusted: searches
// look at the bounds themselves.
type BoundaryOrder int32

const (
	Unordered  BoundaryOrder = 0
	Ascending  BoundaryOrder = 1
	Descending BoundaryOrder = 2
)

func (t Type) String() string {
	return enumName(int32(t), "BOOLEAN", "INT32", "INT64", "INT96", "FLOAT", "DOUBLE", "BYTE_ARRAY", "FIXED_LEN_BYTE_ARRAY")
}

func (e Encoding) String() string {
	return enumName(int32(e), "PLAIN", "1", "PLAIN_DICTIONARY", "RLE", "BIT_PACKED", "DELTA_BINARY_PACKED",
		"DELTA_LENGTH_BYTE_ARRAY", "DELTA_BYTE_ARRAY", "RLE_DICTIONARY", "BYTE_STREAM_SPLIT")
}

func (c Codec) String() string {
	return enumName(int32(c), "UNCOMPRESSED", "SNAPPY", "GZIP", "LZO", "BROTLI", "LZ4", "ZSTD", "LZ4_RAW")
}

func (p PageType) String() string {
	return enumName(int32(p), "data page", "index page", "dictionary page", "data page v2")
}

func (r Repetition) String() string {
	return enumName(int32(r), "required", "optional", "repeated")
}

func (o BoundaryOrder) String() string {
	return enumName(int32(o), "unordered", "ascending", "descending")
}

func enumName(v int32, names ...string) string {
	if v >= 0 && int(v) < len(names) {
		return names[v]
	}
	return "unknown (" + strconv.Itoa(int(v)) + ")"
}
