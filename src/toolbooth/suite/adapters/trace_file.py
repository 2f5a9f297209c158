"""A file of recorded runs, JSON or JSON lines → traces, by the adapter that is named or that knows the shape."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from toolbooth.catalog import NotJson, decode
from toolbooth.catalog.config import read_regular
from toolbooth.errors import ConfigError, UserMistake
from toolbooth.limits import MAX_TRACE_BYTES
from toolbooth.safetext import for_terminal
from toolbooth.suite.adapters.registry import ADAPTERS, Adapter
from toolbooth.suite.adapters.tool_names import ToolNames
from toolbooth.suite.trace import Trace

AUTO: Final = "auto"
_BOM: Final = b"\xef\xbb\xbf"


def read_traces(path: Path, shape: str = AUTO, servers: Iterable[str] | ToolNames = ()) -> list[Trace]:
    """Every run in a file; raises UserMistake with the path where it cannot be read or understood."""
    document = trace_document(path, read_regular(path, MAX_TRACE_BYTES))
    try:
        return traces_of(document, shape, servers)
    except ConfigError:
        raise
    except UserMistake as mistake:
        raise ConfigError(str(mistake), path) from None


def traces_of(document: Any, shape: str = AUTO, servers: Iterable[str] | ToolNames = ()) -> list[Trace]:
    """The same for a parsed document. `servers` are names that may stand before a tool's, as in `server__tool`."""
    if document == []:
        raise UserMistake("there is no run in it")
    names = servers if isinstance(servers, ToolNames) else ToolNames.of(servers)
    chosen = _sniffed(document) if shape == AUTO else _named(shape)
    runs = chosen.split(document) if chosen else []
    if chosen is None or not runs:
        raise UserMistake(_not_understood(shape))
    traces = [trace for run in runs for trace in chosen.read(run, names)]
    if not traces:
        raise UserMistake("there is no run in it")
    return traces


def _named(shape: str) -> Adapter:
    if shape not in ADAPTERS:
        known = ", ".join((AUTO, *ADAPTERS))
        raise UserMistake(f"there is no shape {for_terminal(shape, 40)!r}; known are {known}")
    return ADAPTERS[shape]


def _sniffed(document: Any) -> Adapter | None:
    for each in ADAPTERS.values():
        if any(each.is_sure(run) for run in each.split(document)):
            return each
    return None


def _not_understood(shape: str) -> str:
    if shape != AUTO:
        return f"this is no {shape} trace; wanted: {ADAPTERS[shape].shape}"
    known = "; ".join(f"{each.name}: {each.shape}" for each in ADAPTERS.values())
    return f"this is no trace that is understood, nor a list of such. {known}"


def trace_document(path: Path, data: bytes) -> Any:
    """The bytes of a file as JSON; JSON lines are a list. Raises ConfigError with the place."""
    body = data.removeprefix(_BOM)
    if not body.strip():
        raise ConfigError("the file is empty", path)
    try:
        return decode(body)
    except NotJson as whole:
        lines = [(number, line) for number, line in enumerate(body.split(b"\n"), 1) if line.strip()]
        if len(lines) < 2 or not _is_json(lines[0][1]):
            raise ConfigError(f"broken JSON: {whole}", path) from None
    return [_line(path, number, line) for number, line in lines]


def _is_json(line: bytes) -> bool:
    try:
        decode(line)
    except NotJson:
        return False
    return True


def _line(path: Path, number: int, line: bytes) -> Any:
    try:
        return decode(line)
    except NotJson as error:
        raise ConfigError(f"broken JSON in this line: {error}", path, number) from None
