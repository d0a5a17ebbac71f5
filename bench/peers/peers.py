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
    if t["kind"] in ("arrow", "nested"):
        q = f"SELECT {', '.join(t['columns'] or ['*'])} FROM {table}"
        if r := t.get("rows"):
            q += f" LIMIT {r['to'] - r['from']} OFFSET {r['from']}"
        return q
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


def figures(col):
    """The figures of one array, as sums.Nested has them."""
    import pyarrow as pa
    import pyarrow.compute as pc

    typ = col.type
    out = [len(col) - col.null_count]
    if pa.types.is_struct(typ):
        for c in col.flatten():  # with the nulls of the struct
            out += figures(c)
    elif pa.types.is_map(typ):
        lo, hi = (col.offsets[0].as_py(), col.offsets[-1].as_py()) if len(col) else (0, 0)
        keys, items = col.keys[lo:hi], col.items[lo:hi]
        out += [hi - lo, hi - lo] + figures(keys) + figures(items)
    elif pa.types.is_list(typ) or pa.types.is_large_list(typ):
        inner = col.flatten()  # without what null lists hold
        out += [len(inner)] + figures(inner)
    elif pa.types.is_string_view(typ) or pa.types.is_binary_view(typ):
        out.append(view_bytes(col))
    elif pa.types.is_string(typ) or pa.types.is_large_string(typ) or pa.types.is_binary(typ) or pa.types.is_large_binary(typ):
        out.append(pc.sum(pc.binary_length(col)).as_py() or 0)
    else:
        out.append(pc.sum(col).as_py() or 0)
    return out


def view_bytes(col):
    """The bytes of views: the first of the four integers that each consists of.
    There is no kernel for that, and a cast would copy the strings."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if len(col) == 0:
        return 0
    valid, views = col.buffers()[:2]
    ints = pa.Array.from_buffers(pa.int32(), 4 * (len(col) + col.offset), [None, views])
    lens = pc.list_element(pa.FixedSizeListArray.from_arrays(ints, 4), 0)
    lens = pa.Array.from_buffers(pa.int32(), len(col), [valid, lens.buffers()[1]], offset=col.offset)
    return pc.sum(lens).as_py() or 0


def nested(batches, t):
    """The answer to "nested": rows, and to be checked the figures of all batches."""
    rows, sums = 0, None
    for b in batches:
        rows += b.num_rows
        if not t["check"]:
            continue
        out = []
        for c in b.columns:
            parts = [figures(x) for x in getattr(c, "chunks", [c])]
            out += [sum(xs) for xs in zip(*parts)]
        sums = [x + y for x, y in zip(sums, out)] if sums else out
    return rows, sums, None


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
        if t["kind"] == "nested":
            return nested(self.batches(pq.ParquetFile(t["file"]), t), t)
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

    def batches(self, f, t):
        """Some rows are cut out of their row groups."""
        if not (r := t.get("rows")):
            yield from f.iter_batches(batch_size=1 << 16, columns=t["columns"], use_threads=t["threads"] > 1)
            return
        groups, at = [], 0
        for g in range(f.num_row_groups):
            n = f.metadata.row_group(g).num_rows
            if at + n > r["from"] and at < r["to"]:
                groups, first = groups + [g], at if not groups else first
            at += n
        at = first
        for b in f.iter_batches(batch_size=1 << 16, row_groups=groups, columns=t["columns"], use_threads=t["threads"] > 1):
            lo, hi = max(r["from"] - at, 0), min(r["to"] - at, b.num_rows)
            if lo < hi:
                yield b.slice(lo, hi - lo)
            at += b.num_rows
            if at >= r["to"]:
                break


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
        if t["kind"] == "nested":
            if t["columns"]:
                q = q.select(t["columns"])
            if r := t.get("rows"):
                q = q.slice(r["from"], r["to"] - r["from"])
            return nested([q.collect().to_arrow(compat_level=pl.CompatLevel.newest())], t)
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
        if t.get("rows"):  # with more partitions rows are in no order
            self.ctx.sql("SET datafusion.execution.target_partitions = 1").collect()
        df = self.ctx.sql(sql(t, "t", "octet_length"))
        if t["kind"] == "nested":
            return nested((b.to_pyarrow() for b in df.execute_stream()), t)
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
