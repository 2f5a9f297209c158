"""Sources × exams → the sources that no exam holds, and the proof that nothing of an exam is left in a text."""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from toolbooth.catalog import Tool
from training.generate import action, sentences
from training.sources import Exam, Source

_CAMEL: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_OTHER: Final = re.compile(r"[^a-z0-9]+")
_ALIKE: Final = 0.4  # a tool of the same name whose description shares this much is another version of it
_TELLING: Final = 4  # words: a shorter description ("List all users") is anybody's


class Leak(Exception):
    """Something of an exam stands in the training."""


class Words(NamedTuple):
    """A tool as it is compared: letters and digits only, lower case."""

    name: str
    description: str


def normal(text: str) -> str:
    """Lower-case words with single blanks between them."""
    return _OTHER.sub(" ", _CAMEL.sub(" ", text).lower()).strip()


def normal_tool(tool: Tool) -> Words:
    """Name and description of a tool."""
    return Words(normal(tool.name), normal(tool.description))


class ExamTools:
    """Answers whether a tool stands in an exam, be it in another version."""

    def __init__(self, exams: Iterable[Exam]) -> None:
        self._descriptions: set[str] = set()
        self._by_name: dict[str, list[frozenset[str]]] = defaultdict(list)
        for tool in (tool for exam in exams for tool in exam.tools):
            name, said = normal_tool(tool)
            self._descriptions.add(said)
            self._by_name[name].append(frozenset(said.split()))

    def hold(self, tool: Tool) -> bool:
        """The same description, or the same name and much the same description, or one that has none."""
        name, said = normal_tool(tool)
        words = frozenset(said.split())
        if len(words) >= _TELLING and said in self._descriptions:
            return True
        return any(
            not words or not other or len(words & other) >= _ALIKE * len(words | other)
            for other in self._by_name.get(name, ())
        )


def honest(sources: Sequence[Source], exams: Sequence[Exam]) -> list[Source]:
    """Sources that stand in no exam and say nothing that one asks, each definition and each key once."""
    tools, questions = ExamTools(exams), ExamQuestions(exams)
    seen: set[Words | str] = set()
    kept = []
    for source in sources:
        words = normal_tool(source.tool)
        fresh = words not in seen and source.key not in seen
        if fresh and not tools.hold(source.tool) and not questions.told_by(source):
            kept.append(source)
        seen |= {words, source.key}
    return kept


class ExamQuestions:
    """Answers whether a text is a question of an exam."""

    def __init__(self, exams: Iterable[Exam]) -> None:
        self._asked = {normal(query) for exam in exams for query in exam.queries}

    def hold(self, text: str) -> bool:
        """The same words in the same order."""
        return normal(text) in self._asked

    def told_by(self, source: Source) -> bool:
        """Whether a tool or its server says a question word by word."""
        return any(
            map(
                self.hold, (source.tool.description, *sentences(source.tool.description), action(source.tool))
            )
        )


def prove(sources: Iterable[Source], texts: Iterable[str], exams: Sequence[Exam]) -> None:
    """Raise Leak where a tool of an exam is a source, or a question of one is a text to be learned."""
    tools, questions = ExamTools(exams), ExamQuestions(exams)
    for source in sources:
        if tools.hold(source.tool) or questions.told_by(source):
            raise Leak(f"{source.key} stands in an exam, or says what one asks")
    for text in texts:
        if questions.hold(text):
            raise Leak(f"a question of an exam is learned: {text[:80]}")
