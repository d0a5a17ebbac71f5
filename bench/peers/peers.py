"""Runs the tasks of the benchmark with one of the readers of Python's package
index: pyarrow, polars, datafusion or chdb. See peer.go for the tasks."""

import json
import os
import resource
import sys
import time


def days(n):
    import datetime

    return datetime.date(1970, 1, 1) + datetime.timedelta(days=n)


def bounds(f):
    return (days(f["from"]), days(f["to"])) if f["date"] else (f["from"], f["to"])


def condition(f):
    """The filter in SQL."""
    lo, hi = bounds(f)
    if f["date"]:
        lo, hi = f"DATE '{lo}'", f"DATE '{hi}'"
    if f["to"] == f["from"] + 1:
        return f"{f['column']} = {lo}"
    return f"{f['column']} >= {lo} AND {f['column']} < {hi}"


def sql(t, table, length):
    if t["kind"] == "arrow":
        return f"SELECT {', '.join(t['columns'])} FROM {table}"
    out = ["count(*)"]
    if t["kind"] == "sums":
        out += [f"sum({length}({c}))" if c in ("comment", "status") else f"sum({c})" for c in t["columns"]]
    q = f"SELECT {', '.join(out)} FROM {table}"
    if t["filter"]:
        q += " WHERE " + condition(t["filter"])
    return q


def arrow_sums(batches, columns):
    """Adds up Arrow data; strings by their lengths."""
    import pyarrow as pa
    import pyarrow.compute as pc

    sums = [0.0] * len(columns)
    for b in batches:
        for i, c in enumerate(columns):
            col = b.column(c)
            typ = col.type
            if pa.types.is_dictionary(typ):
                col = col.cast(typ.value_type)
                typ = typ.value_type
            if pa.types.is_date32(typ):
                col = col.cast(pa.int32())
            elif pa.types.is_string_view(typ):
                col = pc.binary_length(col.cast(pa.large_string()))
            elif pa.types.is_string(typ) or pa.types.is_large_string(typ) or pa.types.is_binary(typ):
                col = pc.binary_length(col)
            sums[i] += pc.sum(col).as_py() or 0
    return sums


class Pyarrow:
    def __init__(self, threads):
        import pyarrow as pa

        pa.set_cpu_count(threads)

    def run(self, t):
        import pyarrow.compute as pc
        import pyarrow.dataset as ds
        import pyarrow.parquet as pq

        fs = None
        if t["file"].startswith("http"):
            import fsspec

            fs = fsspec.filesystem("http")
        if t["kind"] == "arrow":
            f = pq.ParquetFile(t["file"], read_dictionary=t["columns"] if t["dict"] else None)
            kept, rows = [], 0
            for b in f.iter_batches(batch_size=1 << 16, columns=t["columns"], use_threads=t["threads"] > 1):
                rows += b.num_rows
                if t["check"]:
                    kept.append(b)
            return rows, None, lambda: arrow_sums(kept, t["columns"])
        src = ds.dataset(t["file"], format="parquet", filesystem=fs)
        where = None
        if f := t["filter"]:
            lo, hi = bounds(f)
            where = (pc.field(f["column"]) >= lo) & (pc.field(f["column"]) < hi)
        if t["kind"] == "count":
            return src.count_rows(filter=where), [], None
        rows, sums = 0, [0.0] * len(t["columns"])
        for b in src.scanner(columns=t["columns"], filter=where, use_threads=t["threads"] > 1).to_batches():
            rows += b.num_rows
            for i, x in enumerate(arrow_sums([b], t["columns"])):
                sums[i] += x
        return rows, sums, None


class Polars:
    def __init__(self, threads):
        os.environ["POLARS_MAX_THREADS"] = str(threads)

    def run(self, t):
        import polars as pl

        q = pl.scan_parquet(t["file"])
        if t["kind"] == "arrow":
            df = q.select(t["columns"]).collect()
            table = df.to_arrow(compat_level=pl.CompatLevel.newest())
            return df.height, None, lambda: arrow_sums([table], t["columns"])
        if f := t["filter"]:
            lo, hi = bounds(f)
            c = pl.col(f["column"])
            q = q.filter(c == lo if t["filter"]["to"] == t["filter"]["from"] + 1 else (c >= lo) & (c < hi))
        out = [pl.len()]
        if t["kind"] == "sums":
            out += [
                (pl.col(c).str.len_bytes() if c in ("comment", "status") else pl.col(c)).sum().alias(c) for c in t["columns"]
            ]
        row = q.select(out).collect().row(0)
        return row[0], [float(x or 0) for x in row[1:]], None


class Datafusion:
    def __init__(self, threads):
        from datafusion import SessionConfig, SessionContext

        config = (
            SessionConfig()
            .with_target_partitions(threads)
            .set("datafusion.execution.parquet.pushdown_filters", "true")
            .set("datafusion.execution.parquet.reorder_filters", "true")
        )
        self.ctx = SessionContext(config)

    def run(self, t):
        if t["file"].startswith("http"):
            from datafusion.object_store import Http

            base = "/".join(t["file"].split("/")[:3])
            self.ctx.register_object_store("http://", Http(base), base.split("//")[1])
        self.ctx.deregister_table("t")
        self.ctx.register_parquet("t", t["file"])
        df = self.ctx.sql(sql(t, "t", "octet_length"))
        if t["kind"] == "arrow":
            kept, rows = [], 0
            for b in df.execute_stream():
                b = b.to_pyarrow()
                rows += b.num_rows
                if t["check"]:
                    kept.append(b)
            return rows, None, lambda: arrow_sums(kept, t["columns"])
        row = [c[0].as_py() for c in df.collect()[0].columns]
        return row[0], [float(x or 0) for x in row[1:]], None


class Chdb:
    def __init__(self, threads):
        import chdb

        self.conn = chdb.connect(":memory:")

    def run(self, t):
        table = f"url('{t['file']}', Parquet)" if t["file"].startswith("http") else f"file('{t['file']}', Parquet)"
        q = sql(t, table, "length") + f" SETTINGS max_threads = {t['threads']}"
        if t["kind"] == "arrow":
            table = self.conn.query(q, "ArrowTable")
            return table.num_rows, None, lambda: arrow_sums([table], t["columns"])
        row = str(self.conn.query(q, "CSV")).strip().split(",")
        return int(row[0]), [float(x) if x != "\\N" else 0.0 for x in row[1:]], None


def cpu():
    u = resource.getrusage(resource.RUSAGE_SELF)
    return u.ru_utime + u.ru_stime


def main():
    readers = {"pyarrow": Pyarrow, "polars": Polars, "datafusion": Datafusion, "chdb": Chdb}
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what libraries print is no answer
    reader = None
    for line in sys.stdin:
        t = json.loads(line)
        r = {}
        try:
            if reader is None:
                reader = readers[sys.argv[1]](t["threads"])
            c, s = cpu(), time.perf_counter()
            rows, sums, add_up = reader.run(t)
            r = {"ms": (time.perf_counter() - s) * 1000, "cpu": (cpu() - c) * 1000}
            if sums is None and t["check"]:
                sums = add_up()
            r.update(rows=rows, sums=[float(x) for x in sums or []])
        except Exception as e:  # the benchmark reports it
            r["error"] = " ".join(f"{type(e).__name__}: {e}".split())[:300]
        json.dump(r, out)
        out.write("\n")
        out.flush()


main()
