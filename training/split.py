"""The split: the sources that are in no exam, and the proof that no text contains part of an exam."""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from toolbooth.catalog import Tool
from training.generate import action, sentences
from training.sources import Exam, Source

_CAMEL: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_OTHER: Final = re.compile(r"[^a-z0-9]+")
_ALIKE: Final = 0.4  # a tool with the same name and this share of the description is another version of it
_TELLING: Final = 4  # words: a shorter description ("List all users") may belong to any tool


class Leak(Exception):
    """Part of an exam is in the training data."""


class Words(NamedTuple):
    """A tool as it is compared: only letters and digits, in lower case."""

    name: str
    description: str


def normal(text: str) -> str:
    """Lower-case words separated by single blanks."""
    return _OTHER.sub(" ", _CAMEL.sub(" ", text).lower()).strip()


def normal_tool(tool: Tool) -> Words:
    """Name and description of a tool."""
    return Words(normal(tool.name), normal(tool.description))


class ExamTools:
    """Answers whether a tool is in an exam, possibly in another version."""

    def __init__(self, exams: Iterable[Exam]) -> None:
        self._descriptions: set[str] = set()
        self._by_name: dict[str, list[frozenset[str]]] = defaultdict(list)
        for tool in (tool for exam in exams for tool in exam.tools):
            name, said = normal_tool(tool)
            self._descriptions.add(said)
            self._by_name[name].append(frozenset(said.split()))

    def hold(self, tool: Tool) -> bool:
        """The same description, or the same name with a similar description or none."""
        name, said = normal_tool(tool)
        words = frozenset(said.split())
        if len(words) >= _TELLING and said in self._descriptions:
            return True
        return any(
            not words or not other or len(words & other) >= _ALIKE * len(words | other)
            for other in self._by_name.get(name, ())
        )


def honest(sources: Sequence[Source], exams: Sequence[Exam]) -> list[Source]:
    """Sources that are in no exam and contain no question of one; each definition and each key once."""
    tools, questions = ExamTools(exams), ExamQuestions(exams)
    seen: set[Words | str] = set()
    kept = []
    for source in sources:
        words = normal_tool(source.tool)
        fresh = words not in seen and source.key not in seen
        if fresh and not tools.hold(source.tool) and not questions.answered_by(source):
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

    def answered_by(self, source: Source) -> bool:
        """Whether a tool or its server contains a question word by word."""
        return any(
            map(
                self.hold, (source.tool.description, *sentences(source.tool.description), action(source.tool))
            )
        )


def prove(sources: Iterable[Source], texts: Iterable[str], exams: Sequence[Exam]) -> None:
    """Raise Leak if a tool of an exam is a source, or a question of one is a text to learn."""
    tools, questions = ExamTools(exams), ExamQuestions(exams)
    for source in sources:
        if tools.hold(source.tool) or questions.answered_by(source):
            raise Leak(f"{source.key} stands in an exam, or says what one asks")
    for text in texts:
        if questions.hold(text):
            raise Leak(f"a question of an exam is learned: {text[:80]}")
