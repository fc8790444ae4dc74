"""Writes DLIS files with dliswriter into the folder of its argument: all types of numbers, arrays, and several frames."""

import os
import sys

import numpy
from dliswriter import DLISFile

folder = sys.argv[1]
random = numpy.random.default_rng(7)


def write(name, *frames, visible=8192):
    dlis = DLISFile(set_identifier="WELLBENCH", max_record_length=visible)
    file = dlis.add_logical_file(fh_id=name)
    file.add_origin("ORIGIN", well_name=f"Well {name}", run_number=1, file_set_number=1)
    file.add_parameter("BHT", long_name="Bottom hole temperature", values=[101.5])
    file.add_tool("TOOL", description="A tool", status=1)
    for number, (index, channels) in enumerate(frames):
        made = [
            file.add_channel(f"{channel}{number or ''}", data=data, units=unit, dataset_name=f"{channel}{number}")
            for channel, data, unit in channels
        ]
        file.add_frame(f"FRAME{number}", channels=made, **({"index_type": index} if index else {}))
    dlis.write(os.path.join(folder, f"{name}.dlis"))


def depth(rows, step=0.5):
    return ("DEPT", numpy.arange(rows) * step + 100.125, "m")


for dtype in ["float32", "float64", "int8", "int16", "int32", "uint8", "uint16", "uint32"]:
    kind = numpy.dtype(dtype)
    values = random.normal(0, 1e3, 700).astype(kind) if kind.kind == "f" else random.integers(numpy.iinfo(kind).min, numpy.iinfo(kind).max, 700, dtype=kind, endpoint=True)
    write(f"type-{dtype}", ("BOREHOLE-DEPTH", [depth(700), ("VALUE", values, "ohm.m")]))
bits = random.integers(0, 2**32, 20_000, dtype=numpy.uint32).view(numpy.float32)
write("all-floats", (None, [("BITS", numpy.where(numpy.isfinite(bits), bits, 0).astype(numpy.float32), None)]))
for width in [2, 8, 360]:
    image = random.normal(0, 1, (200, width)).astype(numpy.float32)
    write(f"array-{width}", ("BOREHOLE-DEPTH", [depth(200), ("IMAGE", image, "V"), ("AMP", random.integers(0, 255, (200, 3), dtype=numpy.uint8), None)]))
write("downwards", ("BOREHOLE-DEPTH", [depth(300, -0.1524), ("GR", random.normal(60, 20, 300), "gAPI")]))
write("one-row", ("TIME", [("TIME", numpy.array([5.0]), "s"), ("A", numpy.array([1], dtype=numpy.int32), None)]))
write(
    "two-frames",
    ("BOREHOLE-DEPTH", [depth(400), ("GR", random.normal(60, 20, 400), "gAPI")]),
    ("TIME", [("TIME", numpy.arange(90) * 0.25, "s"), ("ROP", random.normal(20, 5, 90).astype(numpy.float32), "m/h")]),
)
write("small-records", (None, [("IMAGE", random.normal(0, 1, (60, 400)), None)]), visible=128)
