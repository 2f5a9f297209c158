"""The values of an entry → lines in which the difference itself is in view, whole: approving is reading it."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from toolbooth.contracts.reporting.entry import Entry
from toolbooth.contracts.scan.texts import Kind, texts_of
from toolbooth.contracts.word_diff import Part, as_text, word_diff
from toolbooth.safetext import for_build_log, whole_text

_PLAIN_KEYWORD: Final = re.compile(r"[A-Za-z0-9./+-]{1,40}")  # `string`, `date-time`, `text/csv`
_PATH: Final = 200
_WORD: Final = 60  # characters: a longer value is a text
_IMAGE: Final = re.compile(
    r"data:image/[\w.+-]{1,40};base64,[A-Za-z0-9+/=]*"
)  # holds no word that anybody reads
NOTHING: Final = "(nothing)"


class Detail(NamedTuple):
    """One line below a message, clean: where, and what stands there. `is_text`: words that a model may act on."""

    path: str
    parts: tuple[Part, ...]
    is_text: bool = False

    def __str__(self) -> str:
        said = as_text(self.parts)
        return f"{self.path}: {said}" if self.path else said


def detail_lines(entry: Entry, *, tokens: bool = True) -> list[str]:
    """The details as plain lines, with marks around words that were removed or added."""
    return [str(detail) for detail in details(entry, tokens=tokens)]


def details(entry: Entry, *, tokens: bool = True) -> list[Detail]:
    """What was and what is, or what was found, and what mending it saves."""
    path = for_build_log(entry.path, _PATH)
    found: list[Detail] = []
    if path and (entry.before, entry.after) != (None, None):
        found += _values(path.rstrip("/"), entry.before, entry.after)
    if entry.evidence:
        found.append(Detail(path, (Part("kept", whole_text(entry.evidence)),)))
    if entry.tokens and tokens:
        effect = f"saves {entry.tokens:,}" if entry.tokens > 0 else f"costs {-entry.tokens:,}"
        found.append(Detail("", (Part("kept", f"mending it {effect} tokens"),)))
    return found


def shows_text(entry: Entry) -> bool:
    """Whether a new text is part of it: such an entry is never left out, however many there are."""
    return entry.is_change and any(detail.is_text for detail in details(entry))


def _values(path: str, before: Any, after: Any) -> Iterator[Detail]:
    if before is None and isinstance(after, Mapping):
        yield from _definition(path, after)
    elif isinstance(before, Mapping) and isinstance(after, Mapping):
        yield from _leaves(path, before, after)
    else:
        yield _pair(path, before, after)


def _pair(path: str, before: Any, after: Any) -> Detail:
    old, new = _as_text(before), _as_text(after)
    words = [
        _is_words(text) for value, text in ((before, old), (after, new)) if isinstance(value, str | list)
    ]
    if any(words) or max(len(old), len(new)) > _WORD:
        return Detail(path, word_diff("" if before is None else old, "" if after is None else new), bool(new))
    shown = (whole_text(each) or '""' for each in (old, new))
    return Detail(path, (Part("kept", " → ".join(shown)),), isinstance(after, str))


def _is_words(text: str) -> bool:
    return len(text) > _WORD or len(text.split()) > 1


def _leaves(path: str, before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[Detail]:
    """Two objects, leaf by leaf: only what differs."""
    old, new = (dict(_flat(each)) for each in (before, after))
    for step in {**old, **new}:
        if old.get(step) != new.get(step):
            yield _pair(f"{path}{for_build_log(step, _PATH)}", old.get(step), new.get(step))


def _flat(value: Any) -> Iterator[tuple[str, Any]]:
    """Leaves with their pointers; a list of plain values is one."""
    waiting: list[tuple[str, Any]] = [("", value)]
    while waiting:
        path, at = waiting.pop()
        if isinstance(at, Mapping) and at:
            waiting += reversed([(f"{path}/{key}", each) for key, each in at.items()])
        elif isinstance(at, list) and any(isinstance(each, Mapping | list) for each in at):
            waiting += reversed([(f"{path}/{index}", each) for index, each in enumerate(at)])
        else:
            yield path, at


def _definition(path: str, value: Mapping[str, Any]) -> Iterator[Detail]:
    """What came as a whole: its names in one line, every text in its own; plain keywords say nothing."""
    names = []
    for at, kind, text in texts_of(value):
        if kind.is_name:
            names.append(text)
        elif text and not (kind is Kind.KEYWORD and _PLAIN_KEYWORD.fullmatch(text)):
            yield Detail(f"{path}{for_build_log(at, _PATH)}", word_diff("", _as_text(text)), is_text=True)
    if names:
        yield Detail(f"{path} names".strip(), word_diff("", ", ".join(names)), is_text=True)


def _as_text(value: Any) -> str:
    """A value of a definition, foreign and of any size."""
    if value is None:
        return NOTHING
    if isinstance(value, list) and all(isinstance(each, str) for each in value):
        value = _joined(value)
    if isinstance(value, str):
        return _IMAGE.sub(lambda image: f"data:image ({len(image[0]):,} characters)", value)
    return json.dumps(value, ensure_ascii=False, default=str)


def _joined(words: Iterable[str]) -> str:
    """Values of an enum: each stands for itself."""
    return " | ".join(words)
