// Package schema holds the Arrow types that pare gives to Parquet columns
// against those of arrow-go's converter, for the fixtures and, if PARE_CORPUS
// names a folder of Parquet files, for every file there that arrow-go opens:
//
//	PARE_CORPUS=… GOWORK=off go test ./schema
//
// What a writer stored of its own Arrow schema is left aside: it is the types
// of the Parquet schema that are compared. Columns that are not flat are left
// out, since pare does not read them.
package schema
