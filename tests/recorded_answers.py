"""tests/data/answers → recorded answers of real servers, and questions whose answers are known."""

import gzip
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import yaml

RECORDED = Path(__file__).parent / "data" / "answers"
_SHORT = 300  # a bare number counts as read only where little else is read with it


@dataclass(frozen=True)
class RecordedAnswer:
    """One `tools/call` result, as its server gave it."""

    name: str
    server: str
    tool: str
    arguments: Mapping[str, Any]
    kind: str
    result: dict[str, Any]

    @property
    def text(self) -> str:
        return text_of(self.result)


@dataclass(frozen=True)
class AnswerQuestion:
    """What is asked of an answer, the words that answer it, and the one call that a sensible agent makes."""

    id: str
    answer: str
    question: str
    intent: str
    read: Mapping[str, Any] | None
    expect: tuple[str, ...] = ()
    every: tuple[str, ...] = ()
    shown: str | None = None
    lost: Mapping[str, str] = field(default_factory=dict)

    def is_answered_by_shown(self, text: str) -> bool:
        """Whether the text that is shown answers it."""
        return bool(re.search(self.shown, text)) if self.shown else self._stands_in(text)

    def is_answered_by_read(self, text: str) -> bool:
        """Whether the text that was read on purpose answers it."""
        if self.shown and re.search(self.shown, text):
            return True
        return self._stands_in(text) and not (self.is_bare_number and len(text) > _SHORT)

    @property
    def is_bare_number(self) -> bool:
        return all(word.isdigit() for word in self.expect) and bool(self.shown)

    def _stands_in(self, text: str) -> bool:
        plain = _plain(text)
        if self.every:
            return all(_plain(word) in plain for word in self.every)
        return any(_as_a_word(_plain(word)).search(plain) for word in self.expect)


def _plain(text: str) -> str:
    """Layout aside: runs of blanks, escaped ones too, are one; none stands beside the punctuation of JSON."""
    return re.sub(r" ?([\[\]{},:]) ?", r"\1", re.sub(r"(?:\s|\\[nt])+", " ", text))


@cache
def _as_a_word(word: str) -> re.Pattern[str]:
    before = r"(?<!\w)" if word[:1].isalnum() else ""
    after = r"(?!\w)" if word[-1:].isalnum() else ""
    return re.compile(before + re.escape(word) + after)


def text_of(result: Mapping[str, Any]) -> str:
    """The texts of a result, one below the other."""
    return "\n".join(item["text"] for item in result["content"] if item["type"] == "text")


@cache
def answer(name: str) -> RecordedAnswer:
    """A recorded answer by its name, for example `issues-1`."""
    return RecordedAnswer(name, **json.loads(gzip.decompress((RECORDED / f"{name}.json.gz").read_bytes())))


@cache
def answers() -> tuple[RecordedAnswer, ...]:
    """All of them, by name."""
    return tuple(answer(path.name.removesuffix(".json.gz")) for path in sorted(RECORDED.glob("*.json.gz")))


@cache
def questions() -> tuple[AnswerQuestion, ...]:
    """The table of questions, in its order."""
    rows = yaml.safe_load((RECORDED / "questions.yaml").read_text(encoding="utf-8"))
    return tuple(_question(row) for row in rows)


def _question(row: dict[str, Any]) -> AnswerQuestion:
    words = row.pop("expect", ())
    return AnswerQuestion(
        **{**row, "every": tuple(row.get("every", ()))},
        expect=(words,) if isinstance(words, str) else tuple(words),
    )
