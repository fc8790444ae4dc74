"""Reads the LAS files whose paths are the lines of stdin, and prints one line of JSON for each: its curves, or an error."""

import json
import math
import sys
import warnings

import lasio

warnings.simplefilter("ignore")


def plain(value):
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return None
    return value if isinstance(value, str) else float(value)


for path in sys.stdin.read().splitlines():
    try:
        las = lasio.read(path, mnemonic_case="preserve")
        curves = [[curve.original_mnemonic, [plain(value) for value in curve.data.tolist()]] for curve in las.curves]
        print(json.dumps({"path": path, "curves": curves}))
    except Exception as error:
        print(json.dumps({"path": path, "error": f"{type(error).__name__}: {error}"}))
