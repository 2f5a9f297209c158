"""The file `report.json`: everything that a benchmark run measured, with a format version.

Tables and pages are made from it alone. A running endpoint is measured from outside through an adapter and has its own
section.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, Literal

import msgspec
from msgspec import Struct

from toolbooth.bench.json_file import read_json
from toolbooth.bench.report.performance_section import GrowthSection, LatencySection, Spread
from toolbooth.bench.report.retrieval_section import RetrievalSection, damage_in
from toolbooth.bench.report.tokens_section import ModeCost, SessionCost, TokensSection
from toolbooth.errors import ConfigError


class StepCost(Struct, frozen=True):
    """One request of the way to a tool (a search, a listing, a definition): mean and most tokens of its answers.

    `copy_tokens` are of a structured copy of the text, which some clients hand to the model as well.
    """

    step: str
    answers: int
    tokens_mean: float
    tokens_most: int
    copy_tokens_mean: float
    spread: Spread | None


class EndpointSection(Struct, frozen=True):
    """`finds`: `search` (ranked, so retrieval is scored) or `oracle` (it has no search: the right way is assumed).

    `partial` says why it ended before its time; figures are of what was answered until then. `beside` was asked of
    the same endpoint by another way, which no model takes: it is no step, and in no count of tokens.
    """

    name: str
    adapter: str
    finds: str
    baseline_tokens: int | None
    mode: ModeCost
    steps: tuple[StepCost, ...]
    session: SessionCost | None
    retrieval: RetrievalSection | None
    list_ms: float | None
    partial: str = ""
    notes: tuple[str, ...] = ()
    beside: tuple[StepCost, ...] = ()


FORMAT: Final = "toolbooth-bench"
VERSION: Final = 1


class CorpusSummary(Struct, frozen=True):
    """The tools that were measured, and the questions; `fingerprint` is that of the catalog."""

    version: str
    tools: int
    servers: int
    fingerprint: str
    golden_version: str = ""
    questions: int = 0


class BenchReport(Struct, frozen=True):
    """Sections that were not asked for are None, and not in the file. `partial` names what ended before its time."""

    toolbooth: str
    date: str
    machine: str
    corpus: CorpusSummary | None = None
    tokens: TokensSection | None = None
    retrieval: RetrievalSection | None = None
    latency: LatencySection | None = None
    growth: GrowthSection | None = None
    endpoints: tuple[EndpointSection, ...] = ()
    partial: tuple[str, ...] = ()
    command: str = ""  # what made it, without secrets
    format: Literal["toolbooth-bench"] = FORMAT
    version: Literal[1] = VERSION


def report_json(report: BenchReport) -> dict[str, Any]:
    """The object that is written: a section that was not asked for is not there at all."""
    return {key: value for key, value in msgspec.to_builtins(report).items() if value is not None}


def report_bytes(report: BenchReport) -> bytes:
    """The file's bytes: the same report always gives the same ones."""
    return msgspec.json.format(msgspec.json.encode(report_json(report)), indent=1) + b"\n"


def read_report(path: Path) -> BenchReport:
    """Read one back; raises ConfigError with what is wrong and where in it."""
    document = read_json(path, "a report")
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise ConfigError("this is not a report of `toolbooth bench`", path)
    if document.get("version") != VERSION:
        raise ConfigError("this report is of another version of Toolbooth; run the benchmark again", path)
    try:
        report = msgspec.convert(document, BenchReport)
    except msgspec.ValidationError as error:
        raise ConfigError(f"the report is damaged: {error}", path) from None
    for damage in _damage(report):
        raise ConfigError(f"the report is damaged: {damage}", path)
    return report


def _damage(report: BenchReport) -> Iterator[str]:
    if report.growth is not None and not report.growth.points:
        yield "growth has no points"
    for section in (report.retrieval, *(each.retrieval for each in report.endpoints)):
        if section is not None:
            yield from damage_in(section)
