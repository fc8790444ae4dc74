"""What the service has, and how its values are compared with what a reader made of a file.

As a program, it reads records over HTTP, without Wellbench: truth.py URL DATASET QUERY OUT, with the key in API_KEY. A file
`.parquet` has a column for each field and kind of value (columns.py), for millions of records; others have a line for each record.
"""
import datetime
import decimal
import json
import math
import os
import re
import sys
import urllib.parse
import urllib.request

PAGE = 10_000
UTC = datetime.timezone.utc
NUMBER = re.compile(r"[-+]?\d+(\.\d*)?([eE][-+]?\d+)?")
EPOCH = datetime.datetime(1970, 1, 1, tzinfo=UTC)


def records(url, key, dataset, query):
    """All records that match a query, in pages by `_id`."""
    last = None
    while True:
        condition = query if last is None else {"$and": [query, {"_id": {"$gt": last}}]}
        parameters = urllib.parse.urlencode(
            {"query": json.dumps(condition), "sort": '{"_id":1}', "limit": PAGE}
        )
        request = urllib.request.Request(
            f"{url}/api/v1/data/{dataset}/?{parameters}",
            headers={"Authorization": f"API {key}"},
        )
        with urllib.request.urlopen(request) as response:
            page = json.load(response)
        yield from page
        if len(page) < PAGE:
            return
        last = page[-1]["_id"]


def flat(record):
    """The values of a record by their dotted paths; lists are values."""
    values = {}

    def walk(value, path):
        if isinstance(value, dict) and value:
            for name, inner in value.items():
                walk(inner, f"{path}.{name}" if path else name)
        else:
            values[path] = value

    walk(record, "")
    return values


def columns(rows, key):
    """The records by the value of a field, and the paths that any of them has a value at."""
    by_id = {row[key]: flat(row) for row in rows}
    paths = {path for values in by_id.values() for path, value in values.items() if value is not None}
    return by_id, paths


def is_missing(value):
    return value is None or (isinstance(value, float) and math.isnan(value))


def is_same(expected, value, is_time):
    """Whether a reader's value is the service's. Text is also read as JSON, which is how files without types have values."""
    if is_missing(expected):
        return is_missing(value)
    if is_missing(value):
        return False
    if hasattr(value, "item") and not isinstance(value, (str, bytes)):
        value = value.item()
    if isinstance(value, datetime.datetime):
        # Milliseconds in an envelope, ISO 8601 in data.
        if not is_time and not isinstance(expected, str):
            return False
        moment = value if value.tzinfo else value.replace(tzinfo=UTC)
        if isinstance(expected, str):
            return moment == datetime.datetime.fromisoformat(expected)
        return (moment - EPOCH) // datetime.timedelta(milliseconds=1) == expected
    if isinstance(value, datetime.date):
        return value.isoformat() == expected
    if isinstance(value, str) and isinstance(expected, float):
        # Programs that write text for people have 15 digits.
        return math.isclose(float(value), expected, rel_tol=1e-14) if NUMBER.fullmatch(value) else False
    if isinstance(value, str) and not isinstance(expected, str):
        try:
            return is_same(expected, json.loads(value, parse_float=float), is_time)
        except ValueError:
            return False
    if isinstance(expected, bool) or isinstance(value, bool):
        return type(expected) is type(value) and expected == value
    if isinstance(expected, (int, float)):
        return isinstance(value, (int, float, decimal.Decimal)) and value == expected
    return value == expected


def main():
    url, dataset, query, out = sys.argv[1:]
    if out.endswith(".parquet"):
        from columns import write_columns

        write_columns(map(flat, records(url, os.environ["API_KEY"], dataset, json.loads(query))), out)
        return
    with open(out, "w", encoding="utf-8") as file:
        for record in records(url, os.environ["API_KEY"], dataset, json.loads(query)):
            file.write(json.dumps(record) + "\n")


if __name__ == "__main__":
    main()
