package metadata

import "testing"

func TestParseWriter(t *testing.T) {
	for in, want := range map[string]Writer{
		"":                                 {},
		"(none)":                           {App: "(none)"},
		"parquet-cpp-arrow version 24.0.0": {"parquet-cpp-arrow", [3]int{24, 0, 0}, true},
		"parquet-cpp-arrow version 20.0.0-SNAPSHOT":                                              {"parquet-cpp-arrow", [3]int{20, 0, 0}, true},
		"parquet-cpp version 1.5.1-SNAPSHOT":                                                     {"parquet-cpp", [3]int{1, 5, 1}, true},
		"parquet-mr version 1.16.0-SNAPSHOT (build ee34713e4d906d61f95d2b09145945638b2e2296)":    {"parquet-mr", [3]int{1, 16, 0}, true},
		"parquet-mr version 1.8.1-drill-r0 (build 6b605a4ea05b66e1a6bf843353abcb4834a4ced8)":     {"parquet-mr", [3]int{1, 8, 1}, true},
		"parquet-mr version 1.6.0rc3 (build d4d5a07ec9bd262ca1e93c309f1d7d4a74ebda4c)":           {"parquet-mr", [3]int{1, 6, 0}, true},
		"parquet-mr version 1.6.0":                                                               {"parquet-mr", [3]int{1, 6, 0}, true},
		"parquet-mr version 1.2.5-cdh4.5.0 (build )":                                             {"parquet-mr", [3]int{1, 2, 5}, true},
		"parquet-mr version 1.9.0-cdh6.3.2 (build ${buildNumber})":                               {"parquet-mr", [3]int{1, 9, 0}, true},
		"parquet-mr version 1.10.99.7.2.7.0-44 (build 27344fd5fdaa371e364c604f471b340f8bcf8936)": {"parquet-mr", [3]int{1, 10, 99}, true},
		"parquet-mr version 1.10.1-databricks6 (build bd2ebc87e42b3936ac673e1556fa10fb8358307a)": {"parquet-mr", [3]int{1, 10, 1}, true},
		"parquet-mr (build 32c46643845ea8a705c35d4ec8fc654cc8ff816d)":                            {App: "parquet-mr"},
		"parquet-mr": {App: "parquet-mr"},
		"parquet-mr compatible Photon version 0.2 (build 16.4)":                          {"parquet-mr compatible Photon", [3]int{0, 2, 0}, true},
		"impala version 1.2-INTERNAL (build a462ec42e550c75fccbff98c720f37f3ee9d55a3)":   {"impala", [3]int{1, 2, 0}, true},
		"impala version 4.4.0-SNAPSHOT (build 000c0b5a56a3b286e5d1ca2f7d75915b6fa45e9b)": {"impala", [3]int{4, 4, 0}, true},
		"DuckDB": {App: "DuckDB"},
		"DuckDB version v1.2.2 (build 7c039464e4)":                            {"DuckDB", [3]int{1, 2, 2}, true},
		"DuckDB version v1.3.0-dev1301 (build 84c87b12fa)":                    {"DuckDB", [3]int{1, 3, 0}, true},
		"parquet-rs version 53.4.0":                                           {"parquet-rs", [3]int{53, 4, 0}, true},
		"datafusion version 52.5.0":                                           {"datafusion", [3]int{52, 5, 0}, true},
		"fastparquet-python version 2024.5.0 (build 0)":                       {"fastparquet-python", [3]int{2024, 5, 0}, true},
		"github.com/hangxie/parquet-go v2 latest":                             {App: "github.com/hangxie/parquet-go v2 latest"},
		"github.com/parquet-go/parquet-go":                                    {App: "github.com/parquet-go/parquet-go"},
		"github.com/parquet-go/parquet-go version 0.26.2(build 88f2a7f0ce17)": {appParquetGo, [3]int{0, 26, 2}, true},
		"github.com/parquet-go/parquet-go version 0.30.1(build )":             {appParquetGo, [3]int{0, 30, 1}, true},
		"github.com/segmentio/parquet-go version 0.0.0(build 05ed5ed000b1)":   {appSegmentio, [3]int{0, 0, 0}, true},
		"parquet-go version 18.0.0-SNAPSHOT":                                  {"parquet-go", [3]int{18, 0, 0}, true},
		"parquet-go version latest":                                           {App: "parquet-go"},
		"Arrow2 - Native Rust implementation of Arrow":                        {App: "Arrow2 - Native Rust implementation of Arrow"},
		"HVR 5.3.0/9 (linux_glibc2.5-x64-64bit)":                              {App: "HVR 5.3.0/9"},
		"https://github.com/gaborcsardi/nanoparquet":                          {App: "https://github.com/gaborcsardi/nanoparquet"},
		"RAPIDS Spark Plugin":                                                 {App: "RAPIDS Spark Plugin"},
		"x version 99999999999999999999.1":                                    {App: "x"},
		"x version 1..2":                                                      {"x", [3]int{1, 0, 0}, true},
		"x version v":                                                         {App: "x"},
		"x version (devel)(build )":                                           {App: "x"},
	} {
		if got := ParseWriter(in); got != want {
			t.Errorf("%q is %+v, want %+v", in, got, want)
		}
	}
}

// quirk checks a row of the table: who has the fault and who has not.
func quirk(t *testing.T, has func(Writer) bool, yes, no []string) {
	t.Helper()
	for _, s := range yes {
		if !has(ParseWriter(s)) {
			t.Errorf("%q does not have the fault", s)
		}
	}
	for _, s := range append(no, "", "parquet-cpp-arrow version 0.1.0", "DuckDB version v0.1.0", "parquet-mr compatible Photon version 0.2 (build 16.4)",
		"impala version 1.2-INTERNAL (build a462ec42e550c75fccbff98c720f37f3ee9d55a3)") {
		if has(ParseWriter(s)) {
			t.Errorf("%q has the fault", s)
		}
	}
}

func TestQuirkShortChunkSizes(t *testing.T) {
	quirk(t, Writer.ShortChunkSizes,
		[]string{"parquet-mr version 1.2.5-cdh4.5.0 (build )", "parquet-mr version 1.2.8", "parquet-mr version 0.9.9"},
		[]string{"parquet-mr version 1.2.9", "parquet-mr version 1.10.1 (build a89df8f9932b6ef6633d06069e50c9b7970bebd1)", "parquet-mr"})
}

func TestQuirkBinaryStatistics(t *testing.T) {
	quirk(t, Writer.badBinaryStatistics,
		[]string{"parquet-mr version 1.8.1 (build 4aba4dae7bb0d4edbcf7923ae1339f28fd3f7fcf)", "parquet-mr version 1.6.0rc3", "parquet-mr",
			"parquet-mr (build 32c46643845ea8a705c35d4ec8fc654cc8ff816d)", "parquet-mr version ", "parquet-mr version 1.8.1-drill-r0 (build 6b60)"},
		[]string{"parquet-mr version 1.8.2 (build c6522788629e590a53eb79874b95f6c3ff11f16c)", "parquet-mr version 1.10.0", "parquet-mr version 2.0.0"})
}

func TestQuirkBinaryDecimals(t *testing.T) {
	quirk(t, Writer.badBinaryDecimals,
		[]string{"github.com/parquet-go/parquet-go version 0.32.0(build )", "github.com/parquet-go/parquet-go version 0.26.2(build 88f2a7f0ce17)",
			"github.com/parquet-go/parquet-go", "github.com/parquet-go/parquet-go version (devel)(build )",
			"github.com/segmentio/parquet-go version 0.0.0(build 5337127538e5)", "github.com/segmentio/parquet-go"},
		[]string{"github.com/parquet-go/parquet-go version 0.33.0(build )", "github.com/parquet-go/parquet-go version 1.0.0", "parquet-go version 18.0.0-SNAPSHOT"})
}

func TestQuirkFloatDictionaries(t *testing.T) {
	quirk(t, Writer.badFloatDictionaries,
		[]string{"github.com/parquet-go/parquet-go version 0.32.0(build )", "github.com/parquet-go/parquet-go version 1.0.0", "github.com/parquet-go/parquet-go",
			"github.com/segmentio/parquet-go version 0.0.0(build 5337127538e5)"},
		[]string{"parquet-go version 18.8.0", "parquet-mr version 1.13.1 (build db4183109d5b734ec5930d870cdae161e408ddba)"})
}

func TestQuirkTruncatedMaxima(t *testing.T) {
	quirk(t, func(w Writer) bool { always, _ := w.badTruncatedMaxima(); return always },
		[]string{"github.com/segmentio/parquet-go version 0.0.0(build 05ed5ed000b1)", "github.com/segmentio/parquet-go"},
		[]string{"github.com/parquet-go/parquet-go version 0.30.1(build )"})
	if _, allFF := ParseWriter("github.com/parquet-go/parquet-go version 0.32.0(build )").badTruncatedMaxima(); !allFF {
		t.Error("parquet-go increments 0xFF bytes")
	}
}

func TestQuirkEncodingStats(t *testing.T) {
	quirk(t, Writer.BadEncodingStats,
		[]string{"github.com/parquet-go/parquet-go version 0.31.9(build )", "github.com/parquet-go/parquet-go", "github.com/segmentio/parquet-go version 0.0.0(build 05ed5ed000b1)"},
		[]string{"github.com/parquet-go/parquet-go version 0.32.0(build )", "parquet-go version 14.0.1"})
}

// ARROW-10353: values of V2 pages are compressed although is_compressed says
// that they are not.
func TestQuirkCompressesAlways(t *testing.T) {
	for createdBy, want := range map[string]bool{
		"parquet-cpp version 1.5.1-SNAPSHOT": true, "parquet-cpp-arrow version 2.0.0": true,
		"parquet-cpp-arrow version 3.0.0": false, "parquet-mr version 1.12.0 (build abc)": false, "": false,
	} {
		if got := ParseWriter(createdBy).compressesAlways(); got != want {
			t.Errorf("%q: %v", createdBy, got)
		}
	}
}

// FLOAT16 bounds of arrow-go leave out what stands before the last NaN.
func TestQuirkHalfFloats(t *testing.T) {
	for createdBy, want := range map[string]bool{"parquet-go version 18.8.0": true, "parquet-cpp-arrow version 20.0.0": false} {
		if got := ParseWriter(createdBy).badHalfFloats(); got != want {
			t.Errorf("%q: %v", createdBy, got)
		}
	}
}

// Bounds of repeated columns of arrow-go leave values out.
func TestQuirkListBounds(t *testing.T) {
	for createdBy, want := range map[string]bool{"parquet-go version 18.8.0": true, "parquet-cpp-arrow version 20.0.0": false, "github.com/parquet-go/parquet-go version 0.32.0": false} {
		if got := ParseWriter(createdBy).badListBounds(); got != want {
			t.Errorf("%q: %v", createdBy, got)
		}
	}
}

// Pages of repeated columns of these writers begin with a row wherever there is
// an offset index.
func TestPagesBeginWithRows(t *testing.T) {
	for createdBy, want := range map[string]bool{"parquet-mr version 1.13.1 (build abc)": true, "parquet-cpp-arrow version 20.0.0": true, "parquet-go version 18.7.0": false, "": false} {
		if got := ParseWriter(createdBy).BeginsPagesWithRows(); got != want {
			t.Errorf("%q: %v", createdBy, got)
		}
	}
}

// Timestamp bounds of Parquet.Net are in local time.
func TestQuirkParquetNetTimestamps(t *testing.T) {
	for createdBy, want := range map[string]bool{
		"Parquet.Net version 4.25.0 (build abc)": true, "Parquet.Net v4.25.0": true, "parquet-mr version 1.12.0 (build abc)": false,
	} {
		if got := ParseWriter(createdBy).badTimestamps(); got != want {
			t.Errorf("%q: %v", createdBy, got)
		}
	}
}

// Bloom filters of arrow-go before 18.5 may lack values.
func TestQuirkBloomFilters(t *testing.T) {
	for createdBy, want := range map[string]bool{"parquet-go version 18.4.0": true, "parquet-go version 18.5.0": false, "parquet-go version 18.8.0": false, "DuckDB version v1.5.6": false} {
		if got := ParseWriter(createdBy).BadBloomFilters(); got != want {
			t.Errorf("%q: %v", createdBy, got)
		}
	}
}
