"""How each program reads the files of Wellbench: as columns of values by their names, and tables of Delta Lake as tables of Arrow."""
import csv
import datetime
import glob
import os
import re
import subprocess
import tempfile

from trino_reader import Trino


def of_arrow(table):
    return {name: table.column(at).to_pylist() for at, name in enumerate(table.column_names)}


def of_pandas(frame):
    """Its values as Python has them, times included."""
    values = {}
    for name in frame.columns:
        column = frame[name]
        if column.dtype.kind in "mM" or "datetime" in str(column.dtype):
            values[str(name)] = [None if moment is pandas_nat() else moment.to_pydatetime() for moment in column]
        else:
            values[str(name)] = [None if is_na(value) else value for value in column.tolist()]
    return values


def pandas_nat():
    import pandas

    return pandas.NaT


def is_na(value):
    import pandas

    return value is None or value is pandas.NA or value is pandas.NaT or (isinstance(value, float) and value != value)


class PyArrow:
    package = "pyarrow"

    def parquet(self, path):
        import pyarrow.parquet

        return of_arrow(pyarrow.parquet.read_table(path))

    def folder(self, path):
        import pyarrow.dataset

        return of_arrow(pyarrow.dataset.dataset(path, partitioning="hive").to_table())


class Pandas:
    package = "pandas"

    def delta(self, path):
        import deltalake
        import pyarrow

        return pyarrow.Table.from_pandas(deltalake.DeltaTable(path).to_pandas(), preserve_index=False)

    def parquet(self, path):
        import pandas

        return of_pandas(pandas.read_parquet(path, dtype_backend="pyarrow"))

    def folder(self, path):
        import pandas

        return of_pandas(pandas.read_parquet(path, dtype_backend="pyarrow"))

    def csv(self, path):
        import pandas

        # Text stays text: `NA` and `null` are values of a record, an empty cell is none.
        frame = pandas.read_csv(path, float_precision="round_trip", keep_default_na=False, na_values=[""], low_memory=False)
        return of_pandas(frame)

    def ndjson(self, path):
        return self.lines(path, lines=True)

    def json(self, path):
        return self.lines(path, lines=False)

    def lines(self, path, lines):
        import pandas

        frame = pandas.read_json(path, lines=lines, convert_dates=False, precise_float=True, dtype=False)
        rows = [{name: value for name, value in row.items() if not is_na_scalar(value)} for row in frame.to_dict("records")]
        return of_records(rows)

    def xlsx(self, path):
        import pandas

        return of_pandas(pandas.read_excel(path, keep_default_na=False, na_values=[""], dtype=object))


def is_na_scalar(value):
    return not isinstance(value, (list, dict)) and is_na(value)


def of_records(rows):
    """Records with objects in them, as columns."""
    from truth import flat

    flattened = [flat(row) for row in rows]
    names = dict.fromkeys(name for row in flattened for name in row)
    return {name: [row.get(name) for row in flattened] for name in names}


class Polars:
    package = "polars"

    def parquet(self, path):
        import polars

        return of_arrow(polars.read_parquet(path).to_arrow())

    def folder(self, path):
        import polars

        return of_arrow(polars.scan_parquet(f"{path}/**/*.parquet", hive_partitioning=True).collect().to_arrow())

    def csv(self, path):
        import polars

        return of_arrow(polars.read_csv(path, infer_schema_length=None).to_arrow())

    def ndjson(self, path):
        import polars

        return of_structs(polars.read_ndjson(path, infer_schema_length=None).to_arrow())

    def delta(self, path):
        import polars

        return polars.scan_delta(path).collect().to_arrow()


def of_structs(table):
    """A table whose columns have structs. A field that a struct lacks is null in it."""

    def without_nulls(value):
        if isinstance(value, dict):
            return {name: without_nulls(inner) for name, inner in value.items() if inner is not None}
        return value

    return of_records([without_nulls(row) for row in table.to_pylist()])


class DeltaLake:
    package = "deltalake"

    def delta(self, path):
        import deltalake

        return deltalake.DeltaTable(path).to_pyarrow_table()


class DuckDb:
    package = "duckdb"

    def delta(self, path):
        import deltalake
        import duckdb

        wits = deltalake.DeltaTable(path).to_pyarrow_dataset()
        connection = duckdb.connect()
        connection.execute("SET TimeZone = 'UTC'")
        connection.register("wits", wits)
        return connection.sql("SELECT * FROM wits").to_arrow_table()

    def read(self, call):
        import duckdb

        connection = duckdb.connect()
        connection.execute("SET TimeZone = 'UTC'")
        return connection.sql(f"SELECT * FROM {call}").to_arrow_table()

    def parquet(self, path):
        return of_arrow(self.read(f"read_parquet('{path}')"))

    def folder(self, path):
        return of_arrow(self.read(f"read_parquet('{path}/**/*.parquet', hive_partitioning = true)"))

    def csv(self, path):
        return of_arrow(self.read(f"read_csv('{path}', sample_size = -1)"))

    def ndjson(self, path):
        return of_structs(self.read(f"read_ndjson('{path}', sample_size = -1)"))


class OpenPyXl:
    package = "openpyxl"

    def xlsx(self, path):
        import openpyxl

        header, *body = openpyxl.load_workbook(path).worksheets[0].iter_rows(values_only=True)
        return {str(name): [row[at] for row in body] for at, name in enumerate(header)}


class LasIo:
    package = "lasio"

    def las(self, path):
        import lasio

        return of_pandas(lasio.read(path).df().reset_index())


class LibreOffice:
    package = None
    program = "soffice"

    def xlsx(self, path):
        with tempfile.TemporaryDirectory() as folder:
            # 44: comma, 34: quotes, 76: UTF-8; false, true: numbers as they are stored, text in quotes.
            form = "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,false,false"
            profile = f"-env:UserInstallation=file://{folder}/profile"
            subprocess.run(
                ["soffice", profile, "--headless", "--convert-to", form, "--outdir", folder, path],
                check=True,
                capture_output=True,
                timeout=600,
            )
            (made,) = glob.glob(os.path.join(folder, "*.csv"))
            with open(made, encoding="utf-8", newline="") as file:
                rows = list(csv.reader(file))
        return {name: [calc_value(row[at]) for row in rows[1:]] for at, name in enumerate(rows[0])}


def calc_value(text):
    """A cell of Calc, which writes times and logical values as a person reads them."""
    if text in ("TRUE", "FALSE"):
        return text == "TRUE"
    if re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?", text):
        return datetime.datetime.fromisoformat(text)
    return text or None


class Spark:
    package = "pyspark"

    def session(self):
        from pyspark.sql import SparkSession

        return (
            SparkSession.builder.master("local[2]")
            .config("spark.sql.session.timeZone", "UTC")
            .config("spark.ui.enabled", "false")
            .config("spark.driver.memory", "3g")
            .config("spark.driver.maxResultSize", "0")
            .getOrCreate()
        )

    def parquet(self, path):
        return of_arrow(self.session().read.parquet(path).toArrow())

    def folder(self, path):
        return self.parquet(path)


class SparkDelta:
    """Spark with the library of Delta, which it gets from Maven Central."""

    package = "delta-spark"

    def delta(self, path):
        from delta import configure_spark_with_delta_pip
        from pyspark.sql import SparkSession

        builder = (
            SparkSession.builder.master("local[2]")
            .config("spark.sql.session.timeZone", "UTC")
            .config("spark.ui.enabled", "false")
            .config("spark.driver.memory", "3g")
            .config("spark.driver.maxResultSize", "0")
            .config("spark.sql.extensions", "io.delta.sql.DeltaSparkSessionExtension")
            .config("spark.sql.catalog.spark_catalog", "org.apache.spark.sql.delta.catalog.DeltaCatalog")
        )
        session = configure_spark_with_delta_pip(builder).getOrCreate()
        return session.read.format("delta").load(path).toArrow()


READERS = {
    "pyarrow": PyArrow(),
    "pandas": Pandas(),
    "polars": Polars(),
    "duckdb": DuckDb(),
    "openpyxl": OpenPyXl(),
    "lasio": LasIo(),
    "libreoffice": LibreOffice(),
    "spark": Spark(),
    "deltalake": DeltaLake(),
    "spark-delta": SparkDelta(),
    "trino": Trino(),
}
