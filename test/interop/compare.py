"""Reads files with one reader and compares all of their values with the service's. Usage: compare.py READER CASES.json

The cases: [{"name", "form", "path", "truth", "names", "key", "unitRows", "factors", "nulls", "unsuitable"} and perhaps "headers"]. Prints a line of JSON for each.
"""
import importlib.metadata
import json
import re
import subprocess
import sys
import time

from columns import TYPES, differences
from readers import READERS, of_arrow
from truth import columns, is_missing, is_same

MAX_EXAMPLES = 3
NULL_VALUE = -999.25
# Folders are tables of Delta, whether a reader reads their log or all Parquet files.
TABLES = ("delta", "folder")


def version(reader):
    if hasattr(reader, "version"):
        return reader.version()
    if reader.package:
        return importlib.metadata.version(reader.package)
    return subprocess.run([reader.program, "--version"], capture_output=True, text=True).stdout.split()[1]


def name_of(path, case):
    if "headers" in case:
        return case["headers"][path]
    if case["form"] in TABLES:
        # Names that Spark's writers would refuse.
        return re.sub(r"[ ,;{}()\n\t=]", "_", path)
    return path.replace(".", "_") if case["names"] == "underscore" else path


def column_of(table, path, case, paths):
    """The values of a field; in a table of Delta, those of other types are in columns of their own."""
    name = name_of(path, case)
    columns = [table[name]] if name in table else []
    if case["form"] in TABLES:
        others = {name_of(other, case) for other in paths}
        columns += [table[f"{name}_{kind}"] for kind in TYPES if f"{name}_{kind}" in table and f"{name}_{kind}" not in others]
    if len(columns) < 2:
        return columns[0] if columns else None
    return [next((value for value in values if value is not None), None) for values in zip(*columns)]


def compare(table, by_id, paths, case):
    """The differences, as sentences. Columns that Wellbench adds, such as the day of a folder, are not compared."""
    ids = table.get(name_of(case["key"], case))
    if ids is None:
        return [f"no column {name_of(case['key'], case)}; it has {', '.join(list(table)[:8])}"], 0
    problems = []
    if len(ids) != len(by_id) or set(ids) != set(by_id):
        problems.append(f"{len(ids)} rows, {len(set(ids))} different, instead of {len(by_id)}")
    compared = 0
    # An empty cell is no value to a reader.
    has_no_empty_text = case["form"] in ("csv", "xlsx")
    for path in sorted(paths.intersection(case.get("headers", paths))):
        column = column_of(table, path, case, paths)
        if column is None and all(is_missing(record.get(path)) for record in by_id.values()):
            continue  # A field without values has no column.
        if column is None:
            problems.append(f"no column {name_of(path, case)}")
            continue
        factor = case["factors"].get(path)
        is_time = path == "timestamp"
        wrong = []
        for at, value in zip(ids, column):
            expected = by_id.get(at, {}).get(path)
            compared += 1
            if expected in case["nulls"]:
                expected = None
            # A value that means null isn't converted.
            if factor and not is_missing(expected) and expected != NULL_VALUE:
                if abs(value - expected * factor) <= 1e-9 * abs(expected * factor):
                    continue
            elif is_same(expected, value, is_time) or (has_no_empty_text and expected == "" and value is None):
                continue
            wrong.append(f"{at}: {value!r} instead of {expected!r}")
        if wrong:
            problems.append(f"{path}: {len(wrong)} of {len(ids)} differ, such as {'; '.join(wrong[:MAX_EXAMPLES])}")
    return problems, compared


def read_values(read, case):
    """The values of each column below the header."""
    table = read(case["path"])
    values = table if isinstance(table, dict) else of_arrow(table)
    return {column: values[case["unitRows"] :] for column, values in values.items()}


def known(case, truths):
    """What the service has, read once for cases in a row that are compared with the same."""
    key = (case["truth"], case["key"])
    if key not in truths:
        truths.clear()
        with open(case["truth"], encoding="utf-8") as file:
            truths[key] = columns(map(json.loads, file), case["key"])
    return truths[key]


def main():
    name, cases_file = sys.argv[1:]
    reader = READERS[name]
    with open(cases_file, encoding="utf-8") as file:
        cases = json.load(file)
    truths = {}
    print(json.dumps({"version": version(reader)}), flush=True)
    for case in cases:
        read = getattr(reader, case["form"], None)
        if read is None:
            continue
        if name in case["unsuitable"]:
            print(json.dumps({"case": case["name"], "form": case["form"], "skipped": case["unsuitable"][name]}), flush=True)
            continue
        started = time.monotonic()
        compared = 0
        try:
            if case["truth"].endswith(".parquet"):
                problems, compared = differences(read(case["path"]), case["truth"], lambda path: name_of(path, case))
            else:
                problems, compared = compare(read_values(read, case), *known(case, truths), case)
        except Exception as error:  # A reader may fail in its own ways; each is a result.
            problems = [f"{type(error).__name__}: {str(error)[:300]}"]
        seconds = round(time.monotonic() - started, 1)
        print(json.dumps({"case": case["name"], "form": case["form"], "problems": problems, "compared": compared, "seconds": seconds}), flush=True)


main()
