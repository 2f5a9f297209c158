"""What is shown of an answer × the store → every call that it names, carried out as an agent would, and judged."""

import ast
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from tests.result_reading import read_back

from toolbooth.gateway.results import ResultStore
from toolbooth.limits import MAX_ANSWER_TEXT, RESULT_LINE

ME = "me"
MORE = re.compile("…+")  # the key under which an object says what else it has
CALL = "read_result("
_GOES_ON = re.compile(r"\[\d+ lines? not shown( \(cut inside a line\))?: (read_result\(.*\))\]\Z", re.DOTALL)
_PLACEHOLDER = re.compile(r"\[[^\n]* not shown: (read_result\(.*\))\]", re.DOTALL)


class Lost(AssertionError):
    """Something can be neither seen nor read."""


def calls_in(text: str) -> Iterator[tuple[int, int, dict[str, Any]]]:
    """Each call of `read_result` that a text holds: where it begins and ends, and its arguments."""
    at = text.find(CALL)
    while at >= 0:
        end = text.find(")", at)
        while end >= 0:
            arguments = _arguments(text[at : end + 1])
            if arguments is not None:
                yield at, end + 1, arguments
                break
            end = text.find(")", end + 1, at + 4000)
        at = text.find(CALL, at + 1)


def _arguments(call: str) -> dict[str, Any] | None:
    """As Python reads it, for that is how agents write calls."""
    try:
        tree = ast.parse(call, mode="eval").body
        assert isinstance(tree, ast.Call)
        return {each.arg or "": _paired(ast.literal_eval(each.value)) for each in tree.keywords}
    except (SyntaxError, ValueError):
        return None


def _paired(value: Any) -> Any:
    """Two halves of a surrogate pair are one letter, as JSON reads them."""
    if not isinstance(value, str):
        return value
    return value.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")


class Cut(NamedTuple):
    """A text that is shown in part: what is shown in order, and the calls between."""

    shown: list[str]
    calls: list[dict[str, Any]]


def cut(text: str) -> Cut:
    """Words in brackets that name a call are no part of what is shown."""
    shown: list[str] = []
    calls: list[dict[str, Any]] = []
    last = 0
    for start, end, arguments in calls_in(text):
        opened = max(text.rfind("[", last, start), last)
        shown.append(text[last:opened])
        calls.append(arguments)
        last = end + 1
    return Cut([*shown, text[last:]], calls)


@dataclass
class Reader:
    """An agent with a store. Every read is as small as `max_bytes` wants it."""

    store: ResultStore = field(default_factory=ResultStore)
    max_bytes: int | None = None

    def keep(self, text: str) -> str:
        return self.store.keep(text, ME)

    def read(self, arguments: dict[str, Any]) -> str:
        """All that a call names, answer by answer."""
        size = {} if self.max_bytes is None else {"max_bytes": self.max_bytes}
        last = arguments["start"] + arguments["lines"] if "lines" in arguments else None
        found = ""
        while True:
            answer = read_back(self.store, ME, {**arguments, **size}, MAX_ANSWER_TEXT)
            further = _GOES_ON.search(answer)
            if further is None:
                return found + answer
            body = answer[: further.start()]
            found += body[:-1] if further[1] else body
            following = _arguments(further[2])
            if following is None:
                raise Lost(f"no call: {further[2]}")
            if last is not None:
                if following["start"] >= last:
                    return found
                following["lines"] = last - following["start"]
            arguments = following


def lines_of(text: str) -> list[str]:
    """As `read_result` counts them, by the plainest of means."""
    return re.findall(rf"[^\n]{{1,{RESULT_LINE}}}\n?|\n", text)


# -- text --------------------------------------------------------------------------------------------------
def check_text(reader: Reader, shown: str, whole: str) -> None:
    """Lines that no call brings back stand there word for word, in their order, between the calls around them."""
    parts = cut(shown)
    lines = lines_of(whole)
    last = 0
    for part, call in zip(parts.shown, [*parts.calls, None], strict=True):
        start = len(lines) if call is None else call["start"] - 1
        between = "".join(lines[last:start])
        if between not in part:
            raise Lost(f"lines {last + 1} to {start} are neither shown nor read: {between[:80]!r}")
        if call is None:
            return
        last = max(last, start + call["lines"])
        if reader.read(call) != "".join(lines[start : start + call["lines"]]):
            raise Lost(f"other lines are read by {call}")


# -- JSON --------------------------------------------------------------------------------------------------
class AnswerPart(NamedTuple):
    """A part of an answer: itself, what the asked-for fields leave of it, and all that it stands in."""

    original: Any
    wanted: Any
    around: tuple[Any, ...] = ()

    def inside(self, key: Any) -> "AnswerPart":
        return AnswerPart(self.original[key], self.wanted[key], (*self.around, self.original))


def same(one: Any, other: Any) -> bool:
    """1 is neither 1.0 nor true."""
    return json.dumps(one) == json.dumps(other)


@dataclass
class JsonJudge:
    """Walks what is shown beside the original."""

    reader: Reader

    def check(self, shown: Any, place: AnswerPart) -> None:
        if same(shown, place.wanted):
            return
        if isinstance(shown, str):
            self._string(shown, place)
        elif isinstance(shown, dict) and isinstance(place.wanted, dict):
            self._object(shown, place)
        elif isinstance(shown, list) and isinstance(place.wanted, list):
            self._array(shown, place)
        else:
            raise Lost(f"{shown!r:.80} is shown for {place.wanted!r:.80}")

    def _string(self, shown: str, place: AnswerPart) -> None:
        call = _whole_call(shown)
        if call is None or "lines" in call:
            if not isinstance(place.original, str):
                raise Lost(f"{shown!r:.80} is shown for {place.original!r:.80}")
            check_text(self.reader, shown, place.original)
        elif not self._brings_all(call, place):
            raise Lost(f"{call} does not bring back {place.original!r:.80}")

    def _brings_all(self, call: dict[str, Any], place: AnswerPart) -> bool:
        """The value itself, or something that it stands in."""
        text = self.reader.read(call)
        if isinstance(place.original, str) and text == place.original:
            return True
        found = _json(text)
        return any(same(found, each) for each in (place.original, *place.around))

    def _object(self, shown: dict[str, Any], place: AnswerPart) -> None:
        strange = shown.keys() - place.wanted.keys()
        more = [call for key in strange if MORE.fullmatch(key) and (call := _whole_call(shown[key]))]
        if len(strange) > len(more):
            raise Lost(f"{strange} are shown and not in the original")
        covered = any(self._brings_all(call, place) for call in more)
        for key in place.wanted:
            if key in shown:
                self.check(shown[key], place.inside(key))
            elif not covered:
                raise Lost(f"key {key!r} is neither shown nor read")

    def _array(self, shown: Sequence[Any], place: AnswerPart) -> None:
        """Items and what stands for several of them, one behind the other; or some items, and a way to all."""
        calls = [_standing_for_items(each) for each in shown]
        if any(call is not None and self._brings_all(call, place) for call in calls):
            self._some(
                [each for each, call in zip(shown, calls, strict=True) if call is None or "lines" in call],
                place,
            )
            return
        at = 0
        for each, call in zip(shown, calls, strict=True):
            if at < len(place.original) and self._is(each, place.inside(at)):
                at += 1
                continue
            found = _json(self.reader.read(call)) if call is not None else None
            if not isinstance(found, list) or not same(found, place.original[at : at + len(found)]):
                raise Lost(f"{each!r:.120} does not stand for the items from {at} on")
            at += len(found)
        if at != len(place.original):
            raise Lost(f"the items from {at} on are neither shown nor read")

    def _some(self, shown: Sequence[Any], place: AnswerPart) -> None:
        """In the order of the original; those whose own words lead to all of it are passed over."""
        at = 0
        for each in shown:
            while at < len(place.original) and not self._is(each, place.inside(at)):
                at += 1
            if at == len(place.original):
                raise Lost(f"{each!r:.80} is shown and not in the original")
            at += 1

    def _is(self, shown: Any, place: AnswerPart) -> bool:
        try:
            self.check(shown, place)
        except Lost:
            return False
        return True


def _whole_call(shown: Any) -> dict[str, Any] | None:
    """The call of a string that is a placeholder from its beginning to its end."""
    found = _PLACEHOLDER.fullmatch(shown) if isinstance(shown, str) else None
    return _arguments(found[1]) if found else None


def _standing_for_items(shown: Any) -> dict[str, Any] | None:
    inner = shown.get("not_shown") if isinstance(shown, dict) else shown
    return _whole_call(inner)


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return None
