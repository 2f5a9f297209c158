"""Measured answers by tool, from the user's ledger and from files of recorded calls."""

import os
import sys
import zlib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from toolbooth import economics, errors, files, limits, store, suite
from toolbooth.catalog import Catalog
from toolbooth.catalog.config import read_regular

SUFFIXES = (".json", ".jsonl", ".json.gz", ".jsonl.gz")
# the gateway's tools that call another tool; their answer is that tool's answer
CALL_TOOLS = ("call_tool", "call_read_tool", "call_write_tool", "call_destructive_tool")
WANTED = '{"server", "tool", "result"} with the result of a tools/call, a list or lines of such, or a trace'


class AnswerFiles(NamedTuple):
    """The answers, and files below a folder that contain none."""

    answers: tuple[economics.RecordedAnswer, ...] = ()
    others: tuple[Path, ...] = ()


def read_answers(paths: Iterable[Path], servers: Sequence[str]) -> AnswerFiles:
    """Read recorded answers. A named file must contain answers; a folder may contain other files, too."""
    answers: list[economics.RecordedAnswer] = []
    others: list[Path] = []
    for path in paths:
        if not path.is_dir():
            answers += _of_file(path, servers)
            continue
        found: list[economics.RecordedAnswer] = []
        for each in _files(path):
            try:
                found += _of_file(each, servers)
            except errors.ConfigError:
                others.append(each)
        if not found:
            raise errors.ConfigError(f"no recorded answers in this folder; expected {WANTED}", path)
        answers += found
    return AnswerFiles(tuple(answers), tuple(others))


def _files(folder: Path) -> list[Path]:
    found = sorted(path for path in folder.rglob("*") if path.name.endswith(SUFFIXES))
    if len(found) > limits.MAX_ANSWER_FILES:
        raise errors.ConfigError(
            f"{len(found):,} files are too many; name a subfolder with at most {limits.MAX_ANSWER_FILES:,}",
            folder,
        )
    return found


def _of_file(path: Path, servers: Sequence[str]) -> list[economics.RecordedAnswer]:
    document: Any = suite.trace_document(path, _bytes(path))
    answers = economics.recorded_answers(document)
    if answers is not None:
        return answers
    try:
        traces = suite.traces_of(document, servers=servers)
    except errors.UserMistake:
        raise errors.ConfigError(f"not a recorded answer; expected {WANTED}", path) from None
    return [answer for trace in traces for answer in _of_trace(trace)]


def _bytes(path: Path) -> bytes:
    data = read_regular(path, limits.MAX_TRACE_BYTES)
    if not path.name.endswith(".gz"):
        return data
    try:
        opened = zlib.decompressobj(zlib.MAX_WBITS | 16)
        plain = opened.decompress(data, limits.MAX_TRACE_BYTES + 1)
    except zlib.error:
        raise errors.ConfigError("this file is damaged or not gzip", path) from None
    if len(plain) > limits.MAX_TRACE_BYTES or not opened.eof:
        reason = (
            "this file is truncated"
            if len(plain) <= limits.MAX_TRACE_BYTES
            else f"this file unpacks to more than {limits.MAX_TRACE_BYTES >> 20} MiB"
        )
        raise errors.ConfigError(reason, path)
    return plain


def _of_trace(trace: suite.Trace) -> Iterator[economics.RecordedAnswer]:
    """Answers that are one tool's whole result: neither code runs nor errors."""
    for turn in trace.turns:
        for exchange in turn.exchanges:
            if exchange.is_error or not exchange.result or len(exchange.made) != 1:
                continue
            call = exchange.made[0]
            if exchange.tool in CALL_TOOLS or exchange.tool.endswith(call.name):
                result = {"content": [economics.text_block(exchange.result)]}
                yield economics.RecordedAnswer(call.server, call.name, result, "traces")


_NAMED = 5


class MeasuredAnswers(NamedTuple):
    """Measured answer sizes by tool id."""

    by_tool: dict[str, economics.Seen]
    notes: tuple[str, ...] = ()


def from_ledger(catalog: Catalog, thresholds: economics.Thresholds, since: float | None) -> MeasuredAnswers:
    """What the gateway measured on this machine; an unreadable ledger is a note, not an error."""
    try:
        ledger = store.read_ledger(files.data_folder(Path.home(), os.environ, sys.platform))
        sizes = ledger.answers(store.RowFilter(since))
    except errors.NothingToWeigh as error:
        return MeasuredAnswers({}, (f"no measurements of the gateway are used: {error}",))
    known = {tool.id for tool in catalog}
    found = {
        tool: economics.Seen(
            economics.measured_sizes("ledger", each.pairs, thresholds, each.worst_after, exact=each.exact)
        )
        for tool, each in sizes.items()
        if tool in known
    }
    return MeasuredAnswers(found)


def from_answers(
    catalog: Catalog, thresholds: economics.Thresholds, paths: Sequence[Path]
) -> MeasuredAnswers:
    """Measurements from recorded calls."""
    recorded = read_answers(paths, [server.server for server in catalog.servers])
    assigned = economics.assign(recorded.answers, catalog)
    found = {tool: economics.seen_of(answers, tool, thresholds) for tool, answers in assigned.by_tool.items()}
    notes = [
        f"answers of {old} count for {new}, the only server with these tools and a similar name"
        for old, new in assigned.matched_servers.items()
    ]
    if assigned.unmatched:
        notes.append(f"recorded tools that no server offers: {_listed(assigned.unmatched)}")
    notes += _of_others(recorded)
    return MeasuredAnswers(found, tuple(notes))


def _of_others(recorded: AnswerFiles) -> list[str]:
    names = [path.name for path in recorded.others]
    return [f"no recorded answers in {_listed(names)}"] if names else []


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - _NAMED:,} more" if len(names) > _NAMED else ""
    return ", ".join(names[:_NAMED]) + more
