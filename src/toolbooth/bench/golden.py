"""Golden sets: questions with the tools that answer them.

The file is `{corpus_version, golden_version?, queries: [{id, query, kind?, labels: [{tool_id, relevance, group?}]}]}`;
other keys are notes. `tool_id` is `server:tool` as in a corpus; `relevance` is 2 for the best, 1 for good, 0 for judged
and wrong. Labels with the same `group` are interchangeable: see `GoldenQuestion.judge`. A question without a relevant
label is one that no tool can serve.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from toolbooth import errors, safetext
from toolbooth.bench.json_file import read_json
from toolbooth.bench.metrics import RELEVANT, Relevance

MAX_RELEVANCE = (
    100  # published sets grade 0 to 2; a larger number is a mistake and would outweigh every other gain
)


class Label(NamedTuple):
    """One judged tool of a question. `group` is empty if no other tool would do as well."""

    tool_id: str
    relevance: int
    group: str = ""

    @property
    def tool(self) -> str:
        """The id that this tool has in a catalog."""
        return catalog_id(self.tool_id)


class JudgedRanking(NamedTuple):
    """A ranking and a relevance mapping in which each need of a question is one id."""

    ranked: tuple[str, ...]
    relevance: Relevance


@dataclass(frozen=True)
class GoldenQuestion:
    """What is asked, and the tools that answer it."""

    id: str
    query: str
    labels: tuple[Label, ...] = ()
    kind: str = ""

    @property
    def answerable(self) -> bool:
        """Whether any label is relevant; if none is, the question is not scored."""
        return any(label.relevance >= RELEVANT for label in self.labels)

    @cached_property
    def _needs(self) -> dict[str, str]:
        """The need that each tool meets: its group, or itself. A group's id begins with a space, unlike any tool's."""
        relevant = (label for label in self.labels if label.relevance >= RELEVANT)
        return {label.tool: f" {label.group}" if label.group else label.tool for label in relevant}

    def judge(self, ranked: Sequence[str]) -> JudgedRanking:
        """Express a ranking of catalog ids in terms of needs, so that the plain metrics apply to it.

        A group is one need, as relevant as its best label. The relevant member that is ranked first meets it; the
        other members keep their ranks and gain nothing, because each takes a place that the agent reads.
        """
        relevance: dict[str, int] = {}
        for label in self.labels:
            need = self._needs.get(label.tool, label.tool)
            relevance[need] = max(label.relevance, relevance.get(need, 0))
        met: set[str] = set()
        needs = []
        for tool in ranked:
            need = self._needs.get(tool, tool)
            needs.append(tool if need in met else need)
            met.add(need)
        return JudgedRanking(tuple(needs), relevance)


@dataclass(frozen=True)
class GoldenSet:
    """Questions over one frozen corpus."""

    corpus_version: str
    questions: tuple[GoldenQuestion, ...]
    version: str = ""

    def unknown_tools(self, known: Collection[str]) -> tuple[str, ...]:
        """Labelled tools that are not among these catalog ids, each once, as the file spells them."""
        labels = (label for question in self.questions for label in question.labels)
        return tuple(dict.fromkeys(label.tool_id for label in labels if label.tool not in known))


def catalog_id(tool_id: str) -> str:
    """The catalog id `server.tool` of a corpus id `server:tool`; server names in a catalog have no dots."""
    server, _, tool = tool_id.partition(":")
    return f"{server.replace('.', '_')}.{tool}"


def load_golden(path: Path) -> GoldenSet:
    """Read a golden-set file. Raises ConfigError with what is wrong, and where."""
    return read_golden(read_json(path), path)


def read_golden(document: Any, path: Path) -> GoldenSet:
    """Read a parsed golden set; the file name is the version of a set that has none."""
    try:
        corpus = _text(document, "corpus_version", "the golden set")
        named = document.get("golden_version", path.name.removesuffix(".json"))
        questions = tuple(
            _question(entry, f"queries[{at}]")
            for at, entry in enumerate(_list(document, "queries", "the golden set"))
        )
        if not questions:
            raise _Wrong("queries is empty; add at least one question")
        _no_repeats([question.id for question in questions], "queries", "id")
    except _Wrong as wrong:
        raise errors.ConfigError(str(wrong), path) from None
    return GoldenSet(corpus, questions, str(named))


class _Wrong(ValueError):
    pass


def _question(entry: Any, where: str) -> GoldenQuestion:
    name = _text(entry, "id", where)
    where = f"{where} ({safetext.for_terminal(name, 60)})"
    labels = tuple(
        _label(each, f"{where}.labels[{at}]") for at, each in enumerate(_list(entry, "labels", where))
    )
    _no_repeats([label.tool_id for label in labels], f"{where}.labels", "tool_id")
    kind = entry.get("kind", "")
    if not isinstance(kind, str):
        raise _Wrong(f"{where}.kind must be text, such as paraphrased")
    return GoldenQuestion(name, _text(entry, "query", where), labels, kind)


def _label(entry: Any, where: str) -> Label:
    tool_id = _text(entry, "tool_id", where)
    server, _, tool = tool_id.partition(":")
    if not server or not tool:
        raise _Wrong(f'{where}.tool_id is "{safetext.for_terminal(tool_id, 60)}", not server:tool')
    relevance = entry.get("relevance")
    if type(relevance) is not int or not 0 <= relevance <= MAX_RELEVANCE:
        raise _Wrong(f"{where}.relevance must be a whole number from 0 (wrong) to {MAX_RELEVANCE}")
    group = entry.get("group")
    if group is not None and type(group) not in (int, str):
        raise _Wrong(f"{where}.group must be a number or a name")
    return Label(tool_id, relevance, "" if group is None else str(group))


def _field(entry: Any, key: str, where: str) -> Any:
    if not isinstance(entry, Mapping):
        raise _Wrong(f"{where} must be an object")
    if key not in entry:
        raise _Wrong(f"{where} has no {key}")
    return entry[key]


def _text(entry: Any, key: str, where: str) -> str:
    value = _field(entry, key, where)
    if not isinstance(value, str) or not value.strip():
        raise _Wrong(f"{where}.{key} must be text")
    return value


def _list(entry: Any, key: str, where: str) -> list[Any]:
    value = _field(entry, key, where)
    if not isinstance(value, list):
        raise _Wrong(f"{where}.{key} must be a list")
    return value


def _no_repeats(names: Sequence[str], where: str, key: str) -> None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise _Wrong(f'{where}: duplicate {key} "{safetext.for_terminal(name, 60)}"')
        seen.add(name)
