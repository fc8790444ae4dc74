"""Joins a mirror with a table of tops and groups by well and formation in DuckDB, Spark, and Trino, and compares the groups: join.py MIRROR [READERS].

Spark runs as a cluster of two executors on this computer, each a process of its own. The mirror has the columns of the demo's drilling data.
"""
import os
import sys
import time

KEYS = ["asset_id", "formation"]


def statement(mirror, tops, quote):
    rop, depth = (f"m.{quote}data.{name}{quote}" for name in ("rop", "hole_depth"))
    return f"""SELECT m.asset_id, t.formation, count(*) AS n, avg({rop}) AS rop, max({depth}) AS deepest
        FROM {mirror} m JOIN {tops} ON m.asset_id = t.asset_id AND {depth} >= t.top AND {depth} < t.base
        GROUP BY m.asset_id, t.formation"""


def tops_of(path):
    """Twelve formations for each well, at depths that differ between wells."""
    import deltalake
    import pandas

    wells = sorted({int(each["asset_id"]) for each in deltalake.DeltaTable(path).partitions() if each["asset_id"] is not None})
    rows = [(well, f"F{at}", at * 1500.0 + well % 7 * 10, (at + 1) * 1500.0 + well % 7 * 10) for well in wells for at in range(12)]
    return pandas.DataFrame(rows, columns=["asset_id", "formation", "top", "base"])


def by_duckdb(path, tops):
    import deltalake
    import duckdb

    connection = duckdb.connect()
    connection.register("mirror", deltalake.DeltaTable(path).to_pyarrow_dataset())
    connection.register("tops", tops)
    return lambda: connection.sql(statement("mirror", "tops t", '"')).df()


def by_spark(path, tops):
    from delta import configure_spark_with_delta_pip
    import pyspark
    from pyspark.sql import SparkSession

    os.environ.setdefault("SPARK_HOME", os.path.dirname(pyspark.__file__))
    builder = (
        SparkSession.builder.master("local-cluster[2,1,1024]")
        .config("spark.sql.session.timeZone", "UTC")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.sql.extensions", "io.delta.sql.DeltaSparkSessionExtension")
        .config("spark.sql.catalog.spark_catalog", "org.apache.spark.sql.delta.catalog.DeltaCatalog")
    )
    session = configure_spark_with_delta_pip(builder).getOrCreate()
    session.createDataFrame(tops).createOrReplaceTempView("tops")
    session.read.format("delta").load(path).createOrReplaceTempView("mirror")
    return lambda: session.sql(statement("mirror", "tops t", "`")).toPandas()


def by_trino(path, tops):
    import pandas
    from trino_reader import Trino

    cursor = Trino().start()
    cursor.execute(f"CALL system.register_table(schema_name => 'tables', table_name => 'mirror', table_location => 'local://{path}')")
    cursor.fetchall()
    values = ", ".join(f"({well}, '{name}', {top}e0, {base}e0)" for well, name, top, base in tops.itertuples(index=False))

    def joined():
        cursor.execute(statement("mirror", f"(VALUES {values}) AS t (asset_id, formation, top, base)", '"'))
        return pandas.DataFrame(cursor.fetchall(), columns=[*KEYS, "n", "rop", "deepest"])

    return joined


def main():
    path = os.path.abspath(sys.argv[1])
    readers = sys.argv[2].split(",") if len(sys.argv) > 2 else ["duckdb", "spark", "trino"]
    tops = tops_of(path)
    first = None
    for name in readers:
        join = globals()[f"by_{name}"](path, tops)
        started = time.monotonic()
        groups = join().sort_values(KEYS).reset_index(drop=True)
        seconds = round(time.monotonic() - started, 1)
        if first is None:
            first = groups
        is_equal = len(groups) == len(first) and all((groups[column] == first[column]).all() for column in [*KEYS, "n", "deepest"])
        means = float((groups.rop / first.rop - 1).abs().max()) if is_equal else None
        print(
            f"{name}: {len(groups)} groups of {int(groups.n.sum())} records, {len(tops)} tops, {seconds} s; equal to {readers[0]}: {is_equal}, means to {means}",
            flush=True,
        )
        if not is_equal:
            sys.exit(1)


main()
