"""The file `report.json`: everything that a benchmark run measured, with a format version.

Tables and pages are made from it alone. A running endpoint is measured from outside through an adapter and has its own
section.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, Literal

import msgspec
from msgspec import Struct

from toolbooth import errors, own_json
from toolbooth.bench.json_file import read_json
from toolbooth.bench.report import performance_section, retrieval_section, tokens_section


class StepCost(Struct, frozen=True):
    """One request on the path to a tool (a search, a listing, a definition): mean and most tokens of its answers.

    `copy_tokens` are those of a structured copy of the text, which some clients also pass to the model.
    """

    step: str
    answers: int
    tokens_mean: float
    tokens_most: int
    copy_tokens_mean: float
    spread: performance_section.Spread | None


class EndpointSection(Struct, frozen=True):
    """`finds` is `search` (ranked, so retrieval is scored) or `oracle` (no search: the right path is assumed).

    `partial` says why it ended early; the figures cover what was answered until then. `beside` was asked of the same
    endpoint through another API, which no model uses: it is no step, and no token count includes it.
    """

    name: str
    adapter: str
    finds: str
    baseline_tokens: int | None
    mode: tokens_section.ModeCost
    steps: tuple[StepCost, ...]
    session: tokens_section.SessionCost | None
    retrieval: retrieval_section.RetrievalSection | None
    list_ms: float | None
    partial: str = ""
    notes: tuple[str, ...] = ()
    beside: tuple[StepCost, ...] = ()


FORMAT: Final = "toolbooth-bench"
VERSION: Final = 2
_FORMER_MODES: Final = {
    "direct_slim": "direct",
    "retrieve_tools": "search",
    "code_execution": "code",
}  # version 1


class CorpusSummary(Struct, frozen=True):
    """The tools that were measured, and the questions; `fingerprint` is the catalog's."""

    version: str
    tools: int
    servers: int
    fingerprint: str
    golden_version: str = ""
    questions: int = 0


class BenchReport(Struct, frozen=True):
    """Sections that were not requested are None, and not in the file.

    `partial` names what ended early.
    """

    toolbooth: str
    date: str
    machine: str
    corpus: CorpusSummary | None = None
    tokens: tokens_section.TokensSection | None = None
    retrieval: retrieval_section.RetrievalSection | None = None
    latency: performance_section.LatencySection | None = None
    growth: performance_section.GrowthSection | None = None
    endpoints: tuple[EndpointSection, ...] = ()
    partial: tuple[str, ...] = ()
    command: str = ""  # the command that made it, without secrets
    format: Literal["toolbooth-bench"] = FORMAT
    version: Literal[2] = VERSION


_FILE: Final = own_json.OwnFormat(
    BenchReport,
    FORMAT,
    VERSION,
    foreign="this is not a report of `toolbooth bench`",
    other_version="this report is of another version of Toolbooth; run the benchmark again",
    damaged="the report is damaged: {reason}; run the benchmark again",
)


def report_object(report: BenchReport) -> dict[str, Any]:
    """The object that is written; sections that were not requested are absent."""
    return {key: value for key, value in msgspec.to_builtins(report).items() if value is not None}


def report_bytes(report: BenchReport) -> bytes:
    """The file's bytes; the same report always gives the same bytes."""
    return own_json.encode(report_object(report), indent=1)


def read_report(path: Path) -> BenchReport:
    """Read a report; raises ConfigError with what is wrong and where."""
    document = read_json(path)
    if isinstance(document, dict) and document.get("format") == FORMAT and document.get("version") == 1:
        renamed = {"tokens": _with_surfaces(document["tokens"])} if "tokens" in document else {}
        document = {**document, **renamed, "version": VERSION}
    report = _FILE.read_value(document, path)
    for damage in _damage(report):
        raise errors.ConfigError(f"the report is damaged: {damage}", path)
    return report


def _with_surfaces(part: Any) -> Any:
    """A part of version 1 with the surfaces' names in place of the former names of modes."""
    if isinstance(part, list):
        return [_with_surfaces(each) for each in part]
    if not isinstance(part, dict):
        return part
    renamed = {_FORMER_MODES.get(key, key): _with_surfaces(value) for key, value in part.items()}
    mode = renamed.get("mode")
    return {**renamed, "mode": _FORMER_MODES.get(mode, mode)} if isinstance(mode, str) else renamed


def _damage(report: BenchReport) -> Iterator[str]:
    if report.growth is not None and not report.growth.points:
        yield "growth has no points"
    for section in (report.retrieval, *(each.retrieval for each in report.endpoints)):
        if section is not None:
            yield from retrieval_section.damage_in(section)
