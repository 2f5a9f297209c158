"""`report.json`: written, read back the same, and refused where it is something else."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from toolbooth.bench.report import (
    CorpusLine,
    LatencyMeasure,
    LatencySection,
    Report,
    Spread,
    read_report,
    report_bytes,
)
from toolbooth.errors import ConfigError

SPREAD = Spread(10, 1.0, 2.0, 3.0, 4.0)
REPORT = Report(
    "0.1.0",
    "2026-11-17",
    "a machine",
    CorpusLine("v1", 2, 1, "abc"),
    latency=LatencySection((LatencyMeasure("search", "a search", SPREAD, "direct", SPREAD, 1.0),), None),
    partial=("live: it went away",),
)


def written(folder: Path, data: bytes) -> Path:
    path = folder / "report.json"
    path.write_bytes(data)
    return path


def test_a_report_comes_back_as_it_was_written(tmp_path: Path) -> None:
    assert read_report(written(tmp_path, report_bytes(REPORT))) == REPORT
    assert report_bytes(REPORT) == report_bytes(REPORT)


def changed(**keys: Any) -> bytes:
    return msgspec.json.encode({**msgspec.to_builtins(REPORT), **keys})


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"{", "not JSON"),
        (b"[]", "no report of `toolbooth bench`"),
        (changed(format="toolbooth-run"), "no report of `toolbooth bench`"),
        (changed(version=2), "another version"),
        (changed(latency={"measures": 3}), r"damaged: .*latency"),
        (b"\xff", "not JSON"),
    ],
)
def test_what_is_no_report_is_refused_with_the_reason(tmp_path: Path, data: bytes, said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        read_report(written(tmp_path, data))


def test_a_report_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be read"):
        read_report(tmp_path / "absent.json")
