"""`report.json`: all that a run of the benchmark found, with a version; tables and pages are made of nothing else."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, Literal

import msgspec
from msgspec import Struct

from toolbooth.bench.json_file import read_json
from toolbooth.bench.report.damage import damage_in
from toolbooth.bench.report.growth_section import GrowthSection
from toolbooth.bench.report.latency_section import LatencySection
from toolbooth.bench.report.live_section import EndpointSection
from toolbooth.bench.report.retrieval_section import RetrievalSection
from toolbooth.bench.report.tokens_section import TokensSection
from toolbooth.errors import ConfigError

FORMAT: Final = "toolbooth-bench"
VERSION: Final = 1


class CorpusLine(Struct, frozen=True):
    """The tools that were measured, and the questions; `fingerprint` is that of the catalog."""

    version: str
    tools: int
    servers: int
    fingerprint: str
    golden_version: str = ""
    questions: int = 0


class Report(Struct, frozen=True):
    """Sections that were not asked for are None, and not in the file. `partial` names what ended before its time."""

    toolbooth: str
    date: str
    machine: str
    corpus: CorpusLine | None = None
    tokens: TokensSection | None = None
    retrieval: RetrievalSection | None = None
    latency: LatencySection | None = None
    growth: GrowthSection | None = None
    endpoints: tuple[EndpointSection, ...] = ()
    partial: tuple[str, ...] = ()
    command: str = ""  # what made it, without secrets
    format: Literal["toolbooth-bench"] = FORMAT
    version: Literal[1] = VERSION


def report_json(report: Report) -> dict[str, Any]:
    """The object that is written: a section that was not asked for is not there at all."""
    return {key: value for key, value in msgspec.to_builtins(report).items() if value is not None}


def report_bytes(report: Report) -> bytes:
    """The file's bytes: the same report always gives the same ones."""
    return msgspec.json.format(msgspec.json.encode(report_json(report)), indent=1) + b"\n"


def read_report(path: Path) -> Report:
    """Read one back; raises ConfigError with what is wrong and where in it."""
    document = read_json(path, "a report")
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise ConfigError("this is no report of `toolbooth bench`", path)
    if document.get("version") != VERSION:
        raise ConfigError("this report is of another version of Toolbooth; run the benchmark again", path)
    try:
        report = msgspec.convert(document, Report)
    except msgspec.ValidationError as error:
        raise ConfigError(f"the report is damaged: {error}", path) from None
    for damage in _damage(report):
        raise ConfigError(f"the report is damaged: {damage}", path)
    return report


def _damage(report: Report) -> Iterator[str]:
    if report.growth is not None and not report.growth.points:
        yield "growth has no points"
    for section in (report.retrieval, *(each.retrieval for each in report.endpoints)):
        if section is not None:
            yield from damage_in(section)
