"""Reads the DLIS or LIS files whose paths are the lines of stdin, and prints one line of JSON for each: its tables, or an error."""

import datetime
import json
import math
import os
import sys
import warnings

import dlisio
import numpy

warnings.simplefilter("ignore")


def plain(value):
    """A value, or the list of its parts, as JSON has it."""
    if isinstance(value, numpy.ndarray):
        return [plain(item) for item in value.ravel().tolist()] if value.dtype != object else [plain(item) for item in value.ravel()]
    if isinstance(value, numpy.void):
        value = value.item()
    if isinstance(value, numpy.generic):
        value = value.item()
    if isinstance(value, (list, tuple)) and not hasattr(value, "fingerprint"):
        return [plain(item) for item in value]
    if isinstance(value, complex):
        return [plain(value.real), plain(value.imag)]
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, float):
        return None if math.isnan(value) else str(value) if math.isinf(value) else value
    if isinstance(value, (int, str)) or value is None:
        return value
    if isinstance(value, bytes):
        return value.decode("latin-1")
    if isinstance(value, datetime.datetime):
        return value.isoformat(timespec="milliseconds")
    name = lambda ref: f"{ref.origin}.{ref.copynumber}.{ref.id}"
    if hasattr(value, "label"):
        return f"{value.type} {name(value.name)} {value.label}"
    if hasattr(value, "name"):
        return f"{value.type} {name(value.name)}"
    return name(value)


def column(curve):
    if curve.dtype == object or curve.dtype.names:
        return [plain(item) for item in curve]
    rows = curve.reshape(len(curve), -1) if curve.ndim > 1 and len(curve) > 0 else curve
    return [plain(item) for item in rows]


def columns(names, curves):
    return [[name, str(curves.dtype[at].base), column(curves[curves.dtype.names[at]])] for at, name in enumerate(names)]


def table(name, read):
    try:
        return {"name": name, "columns": read()}
    except Exception as error:
        return {"name": name, "error": f"{type(error).__name__}: {error}"}


def dlis(path):
    with dlisio.dlis.load(path) as files:
        for file in files:
            for frame in file.frames:
                names = lambda: ["FRAMENO"] + [plain(channel.name) for channel in frame.channels]
                yield table(plain(frame.name), lambda: columns(names(), frame.curves(strict=False)))


def lis(path):
    with dlisio.lis.load(path) as files:
        for file in files:
            for format in file.data_format_specs():
                rates = sorted({spec.samples for spec in format.specs if spec.samples > 0} | {1})
                for rate in rates:
                    wanted = dlisio.lis.curves_metadata(format, sample_rate=rate, strict=False)
                    if len(wanted) > 1 or len(rates) == 1:
                        yield table("", lambda: columns(list(wanted), dlisio.lis.curves(file, format, sample_rate=rate, strict=False)))


def read(path):
    tables = []
    try:
        for one in (dlis if path.lower().endswith(".dlis") else lis)(path):
            tables.append(one)
        return {"path": path, "tables": tables}
    except Exception as error:
        return {"path": path, "tables": tables, "error": f"{type(error).__name__}: {error}"}


# Each file is read in a process of its own, because some files end it.
for path in sys.stdin.read().splitlines():
    child = os.fork()
    if child == 0:
        print(json.dumps(read(path)), flush=True)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    if status != 0:
        print(json.dumps({"path": path, "tables": [], "error": f"dlisio ended with status {status}"}), flush=True)
