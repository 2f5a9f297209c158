"""Runs: what an engine answered to every question, now or in a stored report.

A stored run can be compared with a new one if both were asked the same questions over the same corpus.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from toolbooth import errors, safetext
from toolbooth.bench import corpus, json_file, scores
from toolbooth.bench.report import Rejection, RetrievalSection, read_report
from toolbooth.bench.retrieval.engines import engine_named


class EngineRun(NamedTuple):
    """The answers of an engine, an endpoint or a stored run: catalog ids by question id, the best first.

    `rejection` is only set for a stored run, which has no answers to the questions that no tool can serve.
    """

    name: str
    answers: Mapping[str, Sequence[str]]
    rejection: Rejection | None = None


def run_engine(engine: str, pair: corpus.Pair) -> EngineRun:
    """Ask the engine of this name every question."""
    search = engine_named(engine).over(pair.corpus.catalog)
    return EngineRun(engine, {each.id: search(each.query)[: scores.DEPTH] for each in pair.golden.questions})


class StoredRun(NamedTuple):
    """One section with rows; `name` names the engine and the file."""

    path: Path
    name: str
    section: RetrievalSection

    def over(self, pair: corpus.Pair, *, allow_mismatch: bool = False) -> EngineRun:
        """Its answers; raises ConfigError if it was asked other questions, or searched other tools."""
        then, now = self.section.corpus_version, pair.corpus.version
        if then != now and not allow_mismatch:
            raise errors.ConfigError(
                f'that run searched corpus "{safetext.for_terminal(then, 60)}", but this is '
                f'"{safetext.for_terminal(now, 60)}"; '
                "use --allow-mismatch to compare anyway",
                self.path,
            )
        rows = {row.id: row for row in self.section.rows}
        asked = {row.id: row.query for row in self.section.rows}
        ours = {each.id: each.query for each in pair.golden.questions if each.answerable}
        if asked != ours:
            raise errors.ConfigError(_other_questions(asked, ours), self.path)
        return EngineRun(self.name, {each: row.came for each, row in rows.items()}, self.section.rejection)


def read_runs(path: Path) -> tuple[StoredRun, ...]:
    """Every run of a `report.json` (its own, and those of its endpoints), or a bare retrieval section."""
    document = _document(path)
    if "format" not in document:
        section = _section(document.get("retrieval", document), path)
        return (StoredRun(path, _name(section.engine, path), section),)
    report = read_report(path)
    found = [(report.retrieval.engine, report.retrieval)] if report.retrieval else []
    found += [(each.name, each.retrieval) for each in report.endpoints if each.retrieval]
    if not found:
        raise errors.ConfigError("this report has no retrieval section to compare with", path)
    return tuple(StoredRun(path, _name(name, path), section) for name, section in found)


def _document(path: Path) -> Mapping[str, Any]:
    document = json_file.read_json(path)
    if not isinstance(document, Mapping):
        raise errors.ConfigError("this is not a report of `toolbooth bench`", path)
    return document


def _section(block: Any, path: Path) -> RetrievalSection:
    try:
        return msgspec.convert(block, RetrievalSection)
    except msgspec.ValidationError as error:
        raise errors.ConfigError(
            f"this is not a retrieval report of `toolbooth bench`: {error}", path
        ) from None


def _name(engine: str, path: Path) -> str:
    """The engine with its file and folder, because the reports of several runs are all called report.json."""
    return f"{engine} ({Path(*path.parts[-2:]).as_posix()})"


def _other_questions(then: Mapping[str, str], now: Mapping[str, str]) -> str:
    gone = len(then.keys() - now.keys())
    new = len(now.keys() - then.keys())
    changed = sum(now[each] != said for each, said in then.items() if each in now)
    return (
        f"that run was asked other questions ({gone} of its {len(then)} are not in this golden set, "
        f"{new} of these were not asked then, {changed} are worded differently); measure both on the same set"
    )
