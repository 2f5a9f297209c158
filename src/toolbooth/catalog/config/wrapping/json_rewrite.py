"""Rewriting the text of a JSON config: servers are replaced by the gateway's entry, and put back.

Comments, blanks and everything else stay as they are: an object is cut into members together with the text around
them.
"""

import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

from toolbooth import errors
from toolbooth.catalog.config.syntax import blank, blank_comments

_BLANKS: Final = re.compile(r"[ \t\r\n]*")
# What still belongs to a member on its last line: blanks and comments up to the line's end.
_REST_OF_LINE: Final = re.compile(r"(?:[ \t]|/\*(?:[^*\n]|\*(?!/))*\*/)*(?://[^\n]*?(?=\r?\n|\Z))?")
_ONLY_BLANKS: Final = re.compile(r"[ \t]*(?=\r?\n|\Z)")
_NEWLINE: Final = re.compile(r"\r?\n")
_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_DECODER: Final = json.JSONDecoder()


class ObjectSpan(NamedTuple):
    """Where an object stands in a text: from its `{` to behind its `}`."""

    start: int
    end: int


@dataclass(frozen=True)
class JsonMember:
    """One member: what leads to it, `"name": value`, what stands before its comma, and the rest of its line."""

    name: str
    lead: str
    body: str
    gap: str = ""
    trail: str = ""

    def called(self, name: str) -> "JsonMember":
        """The same value under another name."""
        _, end = _DECODER.raw_decode(self.body)
        return self if name == self.name else replace(self, name=name, body=written(name) + self.body[end:])


@dataclass(frozen=True)
class ObjectMembers:
    """All that stands between the braces; `tail` is what follows the last member."""

    members: tuple[JsonMember, ...]
    tail: str
    trailing_comma: bool = False

    def text(self) -> str:
        """The object with commas where they must be; a line comment never swallows what follows it."""
        pieces: list[str] = []
        for number, member in enumerate(self.members, 1):
            comma = "," if number < len(self.members) or self.trailing_comma else ""
            lead = (
                _on_new_line(member.lead)
                if pieces and "//" in self.members[number - 2].trail
                else member.lead
            )
            pieces += [lead, member.body, member.gap, comma, member.trail]
        swallows = self.members and "//" in self.members[-1].trail
        return "".join(["{", *pieces, _on_new_line(self.tail) if swallows else self.tail, "}"])


def _on_new_line(text: str) -> str:
    return text if _NEWLINE.match(text) else "\n" + text


def written(value: Any, indent: str | None = None) -> str:
    """JSON as people read it; a lone surrogate, which no file can hold, stays an escape."""
    text = json.dumps(value, ensure_ascii=False, indent=indent)
    return json.dumps(value, indent=indent) if _SURROGATE.search(text) else text


def find_object(text: str, path: Sequence[str]) -> ObjectSpan | None:
    """The object at `path`; of a key that stands twice the last counts, as for every parser.

    Only what is not plain JSON is blanked: 28 MB of Claude Code's history take 0.2 s instead of 3.
    """
    with suppress(ValueError, IndexError):
        if found := _find(text, path):
            return found
    return _find(blank(text), path)


def _find(plain: str, path: Sequence[str]) -> ObjectSpan | None:
    at = _skip(plain, 0)
    for key in path:
        if plain[at : at + 1] != "{":
            return None
        found = [member for member in _members(plain, at) if member.name == key]
        if not found:
            return None
        at = found[-1].value
    return ObjectSpan(at, _DECODER.raw_decode(plain, at)[1]) if plain[at : at + 1] == "{" else None


def object_members(text: str) -> ObjectMembers:
    """Cut an object, from `{` to `}`, into members, losing no character."""
    places = list(_members(blank(text), 0))
    commas = blank_comments(text)
    members: list[JsonMember] = []
    at, comma = 1, False
    for number, place in enumerate(places):
        border = places[number + 1].start if number + 1 < len(places) else len(text) - 1
        after = commas.find(",", place.end, border)
        comma = after >= 0
        gap_end = after if comma else place.end
        behind = _rest_of_line(text, gap_end + comma, border)
        members.append(
            JsonMember(
                place.name,
                text[at : place.start],
                text[place.start : place.end],
                text[place.end : gap_end],
                text[gap_end + comma : behind],
            )
        )
        at = behind
    return ObjectMembers(tuple(members), text[at:-1], comma)


class _MemberSpan(NamedTuple):
    name: str
    start: int
    value: int
    end: int


def _members(plain: str, start: int) -> Iterator[_MemberSpan]:
    at = _skip(plain, start + 1)
    while plain[at] != "}":
        name, after = _DECODER.raw_decode(plain, at)
        value = _skip(plain, _skip(plain, after) + 1)  # behind the colon
        _, end = _DECODER.raw_decode(plain, value)
        yield _MemberSpan(name, at, value, end)
        at = _skip(plain, end)
        if plain[at] == ",":
            at = _skip(plain, at + 1)


def _skip(plain: str, at: int) -> int:
    found = _BLANKS.match(plain, at)
    return found.end() if found else at


def _rest_of_line(text: str, at: int, border: int) -> int:
    """Behind the comments of a member's last line; what leads to another member on that line is that one's."""
    found = _REST_OF_LINE.match(text, at, border)
    end = found.end() if found else at
    return end if text[end] == "}" or _ONLY_BLANKS.match(text, end) else at


SectionPath = tuple[str, ...]
_INDENT: Final = re.compile(r"\n([ \t]*)[^\n]*\Z")


def movable(text: str, path: SectionPath) -> frozenset[str]:
    """The servers that can be cut out of the text: here, all."""
    return frozenset(member.name for member in _section(text, path).members)


def move_out(
    text: str, path: SectionPath, moved: Collection[str], name: str, entry: Mapping[str, Any]
) -> str:
    """Put one entry in the place of the first of the moved servers, and take the others out."""
    section = _section(text, path)
    first = next(member for member in section.members if member.name in moved)
    members = [
        _member(name, entry, first, section) if member is first else member
        for member in section.members
        if member is first or member.name not in moved
    ]
    return _with_section(text, path, replace(section, members=tuple(members)))


def move_back(text: str, path: SectionPath, name: str, original: str, called: Mapping[str, str]) -> str:
    """Put servers of the original text in the place of the entry, or at the end where the entry has gone.

    `called` are the names in the original, each with the name it gets now.
    """
    text = _with_object(text, path)
    section = _section(text, path)
    servers = [
        member.called(called[member.name])
        for member in _section(original, path).members
        if member.name in called
    ]
    at = next((i for i, member in enumerate(section.members) if member.name == name), len(section.members))
    members = (*section.members[:at], *servers, *section.members[at + 1 :])
    tail = section.tail if section.members else _section(original, path).tail
    return _with_section(text, path, replace(section, members=members, tail=tail))


def set_keys(text: str, path: SectionPath, name: str, values: Mapping[str, Any]) -> str:
    """Give one server other values, each in its place or at the end; None takes a key out, and nothing else changes."""
    entry = _section(text, (*path, name))
    members = list(entry.members)
    for key, value in values.items():
        places = [number for number, member in enumerate(members) if member.name == key]
        if value is None:
            members = [member for member in members if member.name != key]
        elif places:  # of two, the last counts
            old = members[places[-1]]
            members[places[-1]] = replace(old, body=_member(key, value, old, entry).body)
        else:
            members.append(_member(key, value, members[-1], entry))
    return _with_section(text, (*path, name), replace(entry, members=tuple(members)))


def restore_section(text: str, path: SectionPath, original: str) -> str:
    """Put the original's whole section in, with its comments and its order."""
    here, there = find_object(text, path), find_object(original, path)
    if here is None or there is None:
        raise errors.ConfigError(f"the section {'.'.join(path)} is not an object")
    section = original[slice(*there)]
    if "\r" not in text:
        section = section.replace("\r\n", "\n")
    return text[: here.start] + section + text[here.end :]


def _section(text: str, path: SectionPath) -> ObjectMembers:
    span = find_object(text, path)
    if span is None:
        raise errors.ConfigError(f"the section {'.'.join(path)} is not an object")
    return object_members(text[slice(*span)])


def _with_section(text: str, path: SectionPath, section: ObjectMembers) -> str:
    span = find_object(text, path) or ObjectSpan(0, 0)
    return text[: span.start] + section.text() + text[span.end :]


def _with_object(text: str, path: SectionPath) -> str:
    """The text with an object at `path`: an empty one is added at the end of its parent where there is none."""
    for depth in range(1, len(path) + 1):
        if find_object(text, path[:depth]) is None:
            parent = _section(text, path[: depth - 1])
            if any(member.name == path[depth - 1] for member in parent.members):
                raise errors.ConfigError(f"the section {'.'.join(path[:depth])} is no longer an object")
            added = _member(path[depth - 1], {}, parent.members[-1] if parent.members else None, parent)
            parent = replace(parent, members=(*parent.members, added))
            text = _with_section(text, path[: depth - 1], parent)
    return text


def _member(name: str, value: Any, like: JsonMember | None, section: ObjectMembers) -> JsonMember:
    """A new member in the style of one that stands, or stood, there: on one line, or indented as deep."""
    lead = like.lead if like else "\n  "
    newline = "\r\n" if "\r\n" in lead + section.tail else "\n"
    indent = _indent_of(lead)
    if indent is None:
        return JsonMember(name, " " if lead[:1] == " " else "", f"{written(name)}: {written(value)}")
    closing = _indent_of(section.tail) or ""
    unit = indent.removeprefix(closing) or "  "
    flat = like is not None and "\n" not in like.body
    body = written(value) if flat else written(value, unit).replace("\n", newline + indent)
    return JsonMember(name, newline + indent, f"{written(name)}: {body}")


def _indent_of(blanks: str) -> str | None:
    found = _INDENT.search(blanks)
    return found[1] if found else None
