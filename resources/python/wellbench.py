"""Runs the command line of Wellbench from Python. Standard library only; pandas or Polars make frames.

    import wellbench
    frame = wellbench.frame("demo/wits", query='{asset_id: 5003}', connection="North Ridge")

Without `connection`, the command line reads WELLBENCH_DATA_URL, WELLBENCH_PLATFORM_URL, and WELLBENCH_API_KEY.
WELLBENCH_COMMAND is the command if it isn't `wellbench`, such as "node out/main/cli.js".
"""
import json
import os
import shlex
import shutil
import subprocess
import tempfile
import warnings


class WellbenchError(Exception):
    """An error of the command line, with its code and details."""

    def __init__(self, code, message, details):
        super().__init__(message)
        self.code = code
        self.details = details


def _run(command, dataset, options):
    words = shlex.split(os.environ.get("WELLBENCH_COMMAND", "wellbench")) + [command, dataset, "--json"]
    for name, value in options.items():
        if value is None or value is False:
            continue
        words.append("--" + name.replace("_", "-"))
        if value is not True:
            words.append(",".join(value) if isinstance(value, (list, tuple)) else str(value))
    done = subprocess.run(words, capture_output=True, text=True, encoding="utf-8")
    if done.returncode not in (0, 3):  # 3: done, with a warning such as different counts.
        last = (done.stderr.strip().splitlines() or ["no message"])[-1]
        try:
            error = json.loads(last)
        except ValueError:
            error = {"code": "internal", "message": last, "details": {}}
        raise WellbenchError(error["code"], error["message"], error["details"])
    return done.stdout.strip().splitlines()


def _summary(command, dataset, options):
    summary = json.loads(_run(command, dataset, options)[-1])
    for warning in summary.get("warnings", []):
        warnings.warn(warning, stacklevel=3)
    return summary


def records(command, dataset, **options):
    """The records of `find`, `aggregate`, or `pipeline`, as a list of dictionaries."""
    return [json.loads(line) for line in _run(command, dataset, options)[:-1]]


def export(dataset, out, **options):
    """Exports all matching records to a file whose name tells the format. Returns its path."""
    summary = _summary("export", dataset, {"out": out, **options})
    return summary.get("dir") or summary["file"]


def mirror(dataset, out, **options):
    """Updates a folder of Parquet files. Returns the summary: rows, added, partitions, rewritten, dir."""
    return _summary("mirror", dataset, {"out": out, **options})


def frame(dataset, **options):
    """All matching records as a frame of Polars or pandas; without both, the path of a Parquet file."""
    path = os.path.join(tempfile.mkdtemp(prefix="wellbench-"), "records.parquet")
    read = _reader()
    is_kept = False
    try:
        export(dataset, path, **options)
        is_kept = read is None
        return read(path) if read else path
    finally:
        if not is_kept:
            shutil.rmtree(os.path.dirname(path), ignore_errors=True)


def _reader():
    try:
        import polars
        return polars.read_parquet
    except ImportError:
        pass
    try:
        import pandas
        return pandas.read_parquet
    except ImportError:
        return None
