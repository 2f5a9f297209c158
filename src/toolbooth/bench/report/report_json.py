"""`report.json`: all that a run of the benchmark found, with a version; tables and pages are made of nothing else."""

from pathlib import Path
from typing import Final, Literal

import msgspec
from msgspec import Struct

from toolbooth.bench.report.growth_section import GrowthSection
from toolbooth.bench.report.latency_section import LatencySection
from toolbooth.bench.report.live_section import EndpointSection
from toolbooth.bench.report.retrieval_section import RetrievalSection
from toolbooth.bench.report.tokens_section import TokensSection
from toolbooth.errors import ConfigError
from toolbooth.limits import MAX_CATALOG_BYTES

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
    """Sections that were not asked for are null. `partial` names what ended before its time."""

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
    format: Literal["toolbooth-bench"] = FORMAT
    version: Literal[1] = VERSION


def report_bytes(report: Report) -> bytes:
    """The file's bytes: the same report always gives the same ones."""
    return msgspec.json.format(msgspec.json.encode(report), indent=1) + b"\n"


def read_report(path: Path) -> Report:
    """Read one back; raises ConfigError with what is wrong and where in it."""
    try:
        if path.stat().st_size > MAX_CATALOG_BYTES:
            raise ConfigError("the file is too large for a report", path)
        document = msgspec.json.decode(path.read_bytes())
    except OSError as error:
        raise ConfigError(f"cannot be read: {error.strerror or error}", path) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ConfigError(f"this is not JSON: {error}", path) from None
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise ConfigError("this is no report of `toolbooth bench`", path)
    if document.get("version") != VERSION:
        raise ConfigError("this report is of another version of Toolbooth; run the benchmark again", path)
    try:
        return msgspec.convert(document, Report)
    except msgspec.ValidationError as error:
        raise ConfigError(f"the report is damaged: {error}", path) from None
