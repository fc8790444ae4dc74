"""Millions of records as columns of Arrow: what the service has, and how a reader's table is compared with it, value by value.

A field has a column for each kind of value that it has: numbers, times in milliseconds among them, text, and true or false.
"""
import itertools

PAGE = 50_000
KINDS = {"number": (int, float), "text": (str,), "logical": (bool,)}
TYPES = ("long", "double", "string", "boolean", "timestamp")


def write_columns(rows, out):
    """Writes flat records to a file of Parquet."""
    import pyarrow
    import pyarrow.parquet

    arrow = {"number": pyarrow.float64(), "text": pyarrow.string(), "logical": pyarrow.bool_()}
    tables = []
    rows = iter(rows)
    while page := list(itertools.islice(rows, PAGE)):
        found = {}
        for name in dict.fromkeys(name for row in page for name in row):
            values = [row.get(name) for row in page]
            for kind, types in KINDS.items():
                of_kind = [value if type(value) in types else None for value in values]
                if any(value is not None for value in of_kind):
                    found[f"{name}|{kind}"] = pyarrow.array(of_kind, arrow[kind])
        tables.append(pyarrow.table(found))
    pyarrow.parquet.write_table(pyarrow.concat_tables(tables, promote_options="default"), out)


def kind_of(column):
    """The kind of a column of a reader, and its values as that kind."""
    import pyarrow
    import pyarrow.compute

    if pyarrow.types.is_timestamp(column.type):
        moments = column.cast(pyarrow.timestamp("ms", "UTC") if column.type.tz else pyarrow.timestamp("ms"))
        return "number", moments.cast(pyarrow.int64()).cast(pyarrow.float64())
    if pyarrow.types.is_boolean(column.type):
        return "logical", column
    if pyarrow.types.is_null(column.type):
        return None, column
    if pyarrow.types.is_integer(column.type) or pyarrow.types.is_floating(column.type) or pyarrow.types.is_decimal(column.type):
        numbers = column.cast(pyarrow.float64())
        # Pandas has no other null in a column of numbers.
        return "number", pyarrow.compute.if_else(pyarrow.compute.is_nan(numbers), None, numbers)
    return "text", column.cast(pyarrow.string())


def differences(table, truth, name_of):
    """The differences of a reader's table from the truth, as sentences, and the number of compared values."""
    import pyarrow
    import pyarrow.compute as compute
    import pyarrow.parquet

    expected = pyarrow.parquet.read_table(truth).sort_by("_id|text")
    table = table.take(compute.sort_indices(table.column("_id")))
    if table.num_rows != expected.num_rows:
        return [f"{table.num_rows} rows instead of {expected.num_rows}"], 0
    paths = dict.fromkeys(name.rpartition("|")[0] for name in expected.column_names)
    names = {name_of(path) for path in paths}
    problems, compared = [], 0
    for path in paths:
        name = name_of(path)
        columns = [name] + [other for kind in TYPES if (other := f"{name}_{kind}") not in names]
        found = [kind_of(table.column(column)) for column in columns if column in table.column_names]
        for kind in KINDS:
            values = [column for of, column in found if of == kind]
            known = f"{path}|{kind}" in expected.column_names
            if not values and not known:
                continue
            wanted = expected.column(f"{path}|{kind}") if known else pyarrow.nulls(table.num_rows, values[0].type)
            value = compute.coalesce(*values) if values else pyarrow.nulls(table.num_rows, wanted.type)
            compared += table.num_rows
            both_missing = compute.and_(compute.is_null(value), compute.is_null(wanted))
            is_same = compute.or_(both_missing, compute.fill_null(compute.equal(value, wanted), False))
            wrong = compute.indices_nonzero(compute.invert(is_same))
            if len(wrong) > 0:
                at = wrong[0].as_py()
                example = f"{value[at].as_py()!r} instead of {wanted[at].as_py()!r}"
                problems.append(f"{path}: {len(wrong)} of {table.num_rows} differ, such as {example}")
    return problems, compared
