"""Files and folders of recorded calls → answers: results with who gave them, and what traces of agents hold of such."""

import zlib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from toolbooth.catalog.config import read_regular
from toolbooth.economics import RecordedAnswer, recorded_answers, text_block
from toolbooth.errors import ConfigError, UserMistake
from toolbooth.limits import MAX_ANSWER_FILES, MAX_TRACE_BYTES

if TYPE_CHECKING:
    from toolbooth.suite.score import Trace

SUFFIXES = (".json", ".jsonl", ".json.gz", ".jsonl.gz")
CALL_TOOL = "call_tool"  # the gateway's way to call one tool; what it answers is that tool's answer
WANTED = '{"server", "tool", "result"} with the result of a tools/call, a list or lines of such, or a trace'


class Recorded(NamedTuple):
    """The answers, and files below a folder that hold none."""

    answers: tuple[RecordedAnswer, ...] = ()
    others: tuple[Path, ...] = ()


def read_answers(paths: Iterable[Path], servers: Sequence[str]) -> Recorded:
    """A file that was named must hold answers; in a folder others may stand beside them."""
    answers: list[RecordedAnswer] = []
    others: list[Path] = []
    for path in paths:
        if not path.is_dir():
            answers += _of_file(path, servers)
            continue
        found: list[RecordedAnswer] = []
        for each in _files(path):
            try:
                found += _of_file(each, servers)
            except ConfigError:
                others.append(each)
        if not found:
            raise ConfigError(f"there is no recorded answer in it; wanted: {WANTED}", path)
        answers += found
    return Recorded(tuple(answers), tuple(others))


def _files(folder: Path) -> list[Path]:
    found = sorted(path for path in folder.rglob("*") if path.name.endswith(SUFFIXES))
    if len(found) > MAX_ANSWER_FILES:
        raise ConfigError(
            f"{len(found):,} files are more than {MAX_ANSWER_FILES:,}; name a folder in it", folder
        )
    return found


def _of_file(path: Path, servers: Sequence[str]) -> list[RecordedAnswer]:
    from toolbooth.suite.score import trace_document, traces_of

    document: Any = trace_document(path, _bytes(path))
    answers = recorded_answers(document)
    if answers is not None:
        return answers
    try:
        traces = traces_of(document, servers=servers)
    except UserMistake:
        raise ConfigError(f"this is no recorded answer; wanted: {WANTED}", path) from None
    return [answer for trace in traces for answer in _of_trace(trace)]


def _bytes(path: Path) -> bytes:
    data = read_regular(path, MAX_TRACE_BYTES)
    if not path.name.endswith(".gz"):
        return data
    try:
        opened = zlib.decompressobj(zlib.MAX_WBITS | 16)
        plain = opened.decompress(data, MAX_TRACE_BYTES + 1)
    except zlib.error:
        raise ConfigError("this is no gzip file, or a damaged one", path) from None
    if len(plain) > MAX_TRACE_BYTES or not opened.eof:
        reason = (
            "is cut off" if len(plain) <= MAX_TRACE_BYTES else f"holds more than {MAX_TRACE_BYTES >> 20} MiB"
        )
        raise ConfigError(reason, path)
    return plain


def _of_trace(trace: "Trace") -> Iterator[RecordedAnswer]:
    """Only where what the model was told is one tool's answer: not of code, and not of what failed."""
    for turn in trace.turns:
        for exchange in turn.exchanges:
            if exchange.is_error or not exchange.result or len(exchange.made) != 1:
                continue
            call = exchange.made[0]
            if exchange.tool == CALL_TOOL or exchange.tool.endswith(call.name):
                result = {"content": [text_block(exchange.result)]}
                yield RecordedAnswer(call.server, call.name, result, "traces")
