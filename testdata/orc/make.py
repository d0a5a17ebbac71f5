"""Writes the ORC fixtures with pyarrow (ORC C++): one table in every codec.

Run in this folder; the files were made with pyarrow 26.0.1."""

import datetime
import decimal

import pyarrow as pa
import pyarrow.orc as orc

N = 6000
day = datetime.date(2024, 1, 1)
table = pa.table({
    "id": pa.array(range(N), pa.int64()),
    "status": pa.array([["open", "shipped", "returned", "lost", "cancelled"][i * 7 % 5] for i in range(N)]),
    "note": pa.array([None if i % 3 == 0 else f"note {i % 400:04d}" for i in range(N)]),
    "price": pa.array([decimal.Decimal(i % 250) / 4 for i in range(N)], pa.decimal128(9, 2)),
    "at": pa.array([1_700_000_000_000_000 + i // 6 * 1_000_000 for i in range(N)], pa.timestamp("us")),
    "day": pa.array([day + datetime.timedelta(i // 100) for i in range(N)]),
    "flag": pa.array([i % 4 == 0 for i in range(N)]),
    "score": pa.array([float("nan") if i % 11 == 0 else i % 90 / 2 for i in range(N)]),
    "nothing": pa.array([None] * N, pa.int32()),
    "tags": pa.array([[i % 7, i % 3] for i in range(N)], pa.list_(pa.int32())),
})
for codec in ["uncompressed", "zlib", "snappy", "lz4", "zstd"]:
    orc.write_table(table, f"{codec}.orc", compression=codec, stripe_size=16 << 10, batch_size=500, row_index_stride=1000,
                    dictionary_key_size_threshold=0.5)
