"""Files of recorded runs, JSON or JSON lines, read by the named adapter or by the first that recognises them."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from toolbooth import catalog, errors, limits, registry, safetext
from toolbooth.catalog.config import read_regular
from toolbooth.suite.adapters.tool_names import KnownTools
from toolbooth.suite.trace import Trace

Reader = Callable[[Any, KnownTools], list[Trace]]
Test = Callable[[Any], bool]


@dataclass(frozen=True)
class TraceAdapter:
    """One format. `is_run`: a value can be read this way. `is_sure`: it can hardly be anything else."""

    name: str
    shape: str
    is_run: Test
    is_sure: Test
    read: Reader

    def split(self, document: Any) -> list[Any]:
        """The runs in a file: the whole document, or every item of a list. Empty if the format is another."""
        if self.is_run(document):
            return [document]
        several = isinstance(document, list) and all(self.is_run(item) for item in document)
        return document if several else []


ADAPTERS: Final = registry.Registry[TraceAdapter]("trace adapter")


def adapter(
    name: str, shape: str, is_run: Test, is_sure: Test = lambda _run: True
) -> Callable[[Reader], Reader]:
    """Register a reader under its name; `shape` describes what it reads."""

    def register(reader: Reader) -> Reader:
        ADAPTERS.add(name, TraceAdapter(name, shape, is_run, is_sure, reader))
        return reader

    return register


AUTO: Final = "auto"
_BOM: Final = b"\xef\xbb\xbf"


def read_traces(path: Path, shape: str = AUTO, servers: Iterable[str] | KnownTools = ()) -> list[Trace]:
    """Every run in a file. Raises UserMistake with the path if the file cannot be read or understood."""
    document = trace_document(path, read_regular(path, limits.MAX_TRACE_BYTES))
    try:
        return traces_of(document, shape, servers)
    except errors.ConfigError:
        raise
    except errors.UserMistake as mistake:
        raise errors.ConfigError(str(mistake), path) from None


def traces_of(document: Any, shape: str = AUTO, servers: Iterable[str] | KnownTools = ()) -> list[Trace]:
    """The traces of a parsed document. `servers` are known prefixes of tool names, as in `server__tool`."""
    if document == []:
        raise errors.UserMistake("the file contains no run")
    names = servers if isinstance(servers, KnownTools) else KnownTools.of(servers)
    chosen = _sniffed(document) if shape == AUTO else _named(shape)
    runs = chosen.split(document) if chosen else []
    if chosen is None or not runs:
        raise errors.UserMistake(_not_understood(shape))
    traces = [trace for run in runs for trace in chosen.read(run, names)]
    if not traces:
        raise errors.UserMistake("the file contains no run")
    return traces


def _named(shape: str) -> TraceAdapter:
    if shape not in ADAPTERS:
        known = ", ".join((AUTO, *ADAPTERS))
        raise errors.UserMistake(
            f"unknown trace format {safetext.for_terminal(shape, 40)!r}; choose one of {known}"
        )
    return ADAPTERS[shape]


def _sniffed(document: Any) -> TraceAdapter | None:
    for each in ADAPTERS.values():
        if any(each.is_sure(run) for run in each.split(document)):
            return each
    return None


def _not_understood(shape: str) -> str:
    if shape != AUTO:
        return f"this is not a trace in the format {shape}; expected: {ADAPTERS[shape].shape}"
    known = "; ".join(f"{each.name}: {each.shape}" for each in ADAPTERS.values())
    return f"this is neither a known trace format nor a list of such traces; known formats are {known}"


def trace_document(path: Path, data: bytes) -> Any:
    """The bytes of a file as JSON; JSON lines become a list. Raises ConfigError with the path and line."""
    body = data.removeprefix(_BOM)
    if not body.strip():
        raise errors.ConfigError("the file is empty", path)
    try:
        return catalog.decode(body)
    except catalog.NotJson as whole:
        lines = [(number, line) for number, line in enumerate(body.split(b"\n"), 1) if line.strip()]
        if len(lines) < 2 or not _is_json(lines[0][1]):
            raise errors.ConfigError(f"broken JSON: {whole}", path) from None
    return [_line(path, number, line) for number, line in lines]


def _is_json(line: bytes) -> bool:
    try:
        catalog.decode(line)
    except catalog.NotJson:
        return False
    return True


def _line(path: Path, number: int, line: bytes) -> Any:
    try:
        return catalog.decode(line)
    except catalog.NotJson as error:
        raise errors.ConfigError(f"broken JSON in this line: {error}", path, number) from None
