"""The lines below a message: the values of an entry, with every word marked as kept, removed or added.

A person approves what these lines show, so every text is complete, nothing in it is hidden, and nothing in it can
control a terminal.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, groupby, takewhile
from typing import Any, Final, Literal, NamedTuple

from rapidfuzz.distance import Indel

from toolbooth import limits, safetext
from toolbooth.contracts.reporting.report import ReportEntry
from toolbooth.contracts.scan.texts import TextKind, texts_of

PartKind = Literal["kept", "removed", "added"]
_MARKS: Final[dict[PartKind, tuple[str, str]]] = {
    "kept": ("", ""),
    "removed": ("[-", "-]"),
    "added": ("{+", "+}"),
}
_FEW: Final = 1  # kept words between changed ones: easier to read as part of the change


class TextPart(NamedTuple):
    """Consecutive words of one kind."""

    kind: PartKind
    text: str

    @property
    def marked(self) -> str:
        """The part as plain text: `[-removed-]`, `{+added+}`."""
        left, right = _MARKS[self.kind]
        return f"{left}{self.text}{right}"


def word_diff(before: str, after: str) -> tuple[TextPart, ...]:
    """Compare two texts word by word. A text that is only new, or only gone, is one part."""
    old, new = safetext.whole_text(before).split(), safetext.whole_text(after).split()
    parts = [(kind, word) for kind, words in _without_islands(_runs(old, new)) for word in words]
    return tuple(
        TextPart(kind, " ".join(_unmarked(word) for _, word in group))
        for kind, group in groupby(parts, lambda part: part[0])
    )


def as_text(parts: Iterable[TextPart]) -> str:
    """All parts with their marks, as one line."""
    return " ".join(part.marked for part in parts)


def _unmarked(word: str) -> str:
    """Escape our marks in a server's words, or a forged mark could make new text look unchanged."""
    for mark in chain.from_iterable(_MARKS.values()):
        if mark:
            word = word.replace(mark, f"{mark[0]}\\{mark[1]}")
    return word


_Run = tuple[PartKind, Sequence[str]]


def _runs(old: Sequence[str], new: Sequence[str]) -> Iterator[_Run]:
    """Skip the common beginning and end, and compare what is between unless it is too long."""
    start = _same(old, new)
    end = _same(old[start:][::-1], new[start:][::-1])
    yield "kept", new[:start]
    yield from _between(old[start : len(old) - end], new[start : len(new) - end])
    yield "kept", new[len(new) - end :]


def _same(one: Sequence[str], other: Sequence[str]) -> int:
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def _between(old: Sequence[str], new: Sequence[str]) -> Iterator[_Run]:
    if len(old) * len(new) > limits.MAX_WORD_PAIRS:
        yield from (("removed", old), ("added", new))
        return
    for step in Indel.opcodes(old, new):
        if step.tag == "equal":
            yield "kept", new[step.dest_start : step.dest_end]
        else:
            yield from (
                ("removed", old[step.src_start : step.src_end]),
                ("added", new[step.dest_start : step.dest_end]),
            )


def _without_islands(runs: Iterable[_Run]) -> Iterator[_Run]:
    """Join neighbouring changes, removed words first. A single kept word between two changes joins them."""
    removed: list[str] = []
    added: list[str] = []
    waiting = [run for run in runs if run[1]]
    for location, (kind, words) in enumerate(waiting):
        if kind == "removed":
            removed += words
        elif kind == "added":
            added += words
        elif (removed or added) and len(words) <= _FEW and location + 1 < len(waiting):
            removed += words
            added += words
        else:
            yield from (("removed", removed), ("added", added), (kind, words))
            removed, added = [], []
    yield from (("removed", removed), ("added", added))


_PLAIN_KEYWORD: Final = re.compile(r"[A-Za-z0-9./+-]{1,40}")  # `string`, `date-time`, `text/csv`
_PATH: Final = 200
_WORD: Final = 60  # characters: a longer value is shown as text
# Contains no words that anybody reads
_IMAGE: Final = re.compile(r"data:image/[\w.+-]{1,40};base64,[A-Za-z0-9+/=]*")
NOTHING: Final = "(nothing)"


class Detail(NamedTuple):
    """One clean line below a message: a path and the values there. `is_text` marks words that a model may act on."""

    path: str
    parts: tuple[TextPart, ...]
    is_text: bool = False

    def __str__(self) -> str:
        text = as_text(self.parts)
        return f"{self.path}: {text}" if self.path else text


def detail_lines(entry: ReportEntry, *, tokens: bool = True) -> list[str]:
    """The details as plain lines, with marks around removed and added words."""
    return [str(detail) for detail in details_of(entry, tokens=tokens)]


def details_of(entry: ReportEntry, *, tokens: bool = True) -> list[Detail]:
    """The values before and after, the evidence of a finding, and the tokens that a fix saves."""
    path = safetext.for_build_log(entry.path, _PATH)
    found: list[Detail] = []
    if path and (entry.before, entry.after) != (None, None):
        found += _values(path.rstrip("/"), entry.before, entry.after)
    if entry.evidence:
        found.append(Detail(path, (TextPart("kept", safetext.whole_text(entry.evidence)),)))
    if entry.tokens and tokens:
        effect = f"saves {entry.tokens:,}" if entry.tokens > 0 else f"costs {-entry.tokens:,}"
        found.append(Detail("", (TextPart("kept", f"a fix {effect} tokens"),)))
    return found


def shows_text(entry: ReportEntry) -> bool:
    """Whether it has new text for a model. Such an entry is never left out of a report."""
    return entry.is_change and any(detail.is_text for detail in details_of(entry))


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
    shown = (safetext.whole_text(each) or '""' for each in (old, new))
    return Detail(path, (TextPart("kept", " → ".join(shown)),), isinstance(after, str))


def _is_words(text: str) -> bool:
    return len(text) > _WORD or len(text.split()) > 1


def _leaves(path: str, before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[Detail]:
    """Compare two objects leaf by leaf, and show only what differs."""
    old, new = (dict(_flat(each)) for each in (before, after))
    for step in {**old, **new}:
        if old.get(step) != new.get(step):
            yield _pair(f"{path}{safetext.for_build_log(step, _PATH)}", old.get(step), new.get(step))


def _flat(value: Any) -> Iterator[tuple[str, Any]]:
    """The leaves of a value with their pointers. A list of plain values counts as one leaf."""
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
    """Show a new object: its names on one line, and each text on its own. Plain keywords are left out."""
    names = []
    for at, kind, text in texts_of(value):
        if kind.is_name:
            names.append(text)
        elif text and not (kind is TextKind.KEYWORD and _PLAIN_KEYWORD.fullmatch(text)):
            yield Detail(
                f"{path}{safetext.for_build_log(at, _PATH)}", word_diff("", _as_text(text)), is_text=True
            )
    if names:
        yield Detail(f"{path} names".strip(), word_diff("", ", ".join(names)), is_text=True)


def _as_text(value: Any) -> str:
    """A value of a definition as text, not cleaned, of any size."""
    if value is None:
        return NOTHING
    if isinstance(value, list) and all(isinstance(each, str) for each in value):
        value = _joined(value)
    if isinstance(value, str):
        return _IMAGE.sub(lambda image: f"data:image ({len(image[0]):,} characters)", value)
    return json.dumps(value, ensure_ascii=False, default=str)


def _joined(words: Iterable[str]) -> str:
    """The values of an enum on one line."""
    return " | ".join(words)
