package pare

import (
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/parequet/pare/metadata"
	"github.com/parequet/pare/predicate"
)

// hiveNull is the folder of the rows whose partition column is NULL.
const hiveNull = "__HIVE_DEFAULT_PARTITION__"

// partitionsOf reads the key=value folders of a path, its last part left out, as
// Hive writes them: values are percent-encoded. Of a key that occurs twice the
// last one counts.
func partitionsOf(path string) (keys []string, values map[string]string) {
	folders := strings.Split(path, "/")
	for _, f := range folders[:len(folders)-1] {
		key, value, ok := strings.Cut(f, "=")
		if !ok || key == "" {
			continue
		}
		if k, err := url.PathUnescape(key); err == nil {
			key = k
		}
		if v, err := url.PathUnescape(value); err == nil {
			value = v
		}
		if _, again := values[key]; !again {
			keys = append(keys, key)
		}
		if values == nil {
			values = map[string]string{}
		}
		values[key] = value
	}
	return keys, values
}

// partition is a column that comes from the files' paths.
type partition struct {
	column *metadata.Column
	parse  func(text string) (metadata.Value, bool)
}

// partitionType chooses the type of a partition column from its values: integers,
// else dates, else text. Numbers with a leading zero are integers, too, as 01 is
// a month.
func partitionType(name string, values []string) partition {
	kinds := []partition{
		{metadata.NewColumn(name, metadata.Int64, metadata.Logical{Kind: metadata.Integer, Bits: 64, Signed: true}), parseInteger},
		{metadata.NewColumn(name, metadata.Int32, metadata.Logical{Kind: metadata.Date}), parseDay},
	}
	for _, k := range kinds {
		fits := false
		for _, v := range values {
			if v == hiveNull {
				continue
			}
			if _, fits = k.parse(v); !fits {
				break
			}
		}
		if fits {
			return k
		}
	}
	return partition{metadata.NewColumn(name, metadata.ByteArray, metadata.Logical{Kind: metadata.String}), func(text string) (metadata.Value, bool) {
		return metadata.BytesValue([]byte(text)), true
	}}
}

func parseInteger(text string) (metadata.Value, bool) {
	n, err := strconv.ParseInt(text, 10, 64)
	return metadata.IntValue(n), err == nil && !strings.HasPrefix(text, "+")
}

func parseDay(text string) (metadata.Value, bool) {
	t, err := time.Parse(time.DateOnly, text)
	return metadata.IntValue(t.Unix() / 86400), err == nil
}

// known is what the path of a file says of a partition column.
func (p partition) known(text string) predicate.Known {
	if text == hiveNull {
		return predicate.Known{Column: p.column}
	}
	v, _ := p.parse(text)
	return predicate.Known{Column: p.column, Value: &v}
}
