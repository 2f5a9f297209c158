"""A JSON config's text: some servers of its section → one entry, and that entry → the servers again."""

import re
from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any, Final

from toolbooth.catalog.config.wrapping.json_object import (
    Inside,
    Member,
    Span,
    find_object,
    inside,
    written,
)
from toolbooth.errors import ConfigError

Path = tuple[str, ...]
_INDENT: Final = re.compile(r"\n([ \t]*)[^\n]*\Z")


def movable(text: str, path: Path) -> frozenset[str]:
    """The servers that can be cut out of the text: here, all."""
    return frozenset(member.name for member in _section(text, path).members)


def move_out(text: str, path: Path, moved: Collection[str], name: str, entry: Mapping[str, Any]) -> str:
    """Put one entry in the place of the first of the moved servers, and take the others out."""
    section = _section(text, path)
    first = next(member for member in section.members if member.name in moved)
    members = [
        _member(name, entry, first, section) if member is first else member
        for member in section.members
        if member is first or member.name not in moved
    ]
    return _with_section(text, path, replace(section, members=tuple(members)))


def move_back(text: str, path: Path, name: str, original: str, called: Mapping[str, str]) -> str:
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


def restore_section(text: str, path: Path, original: str) -> str:
    """Put the original's whole section in, with its comments and its order."""
    here, there = find_object(text, path), find_object(original, path)
    if here is None or there is None:
        raise ConfigError(f"the section {'.'.join(path)} is no object")
    section = original[slice(*there)]
    if "\r" not in text:
        section = section.replace("\r\n", "\n")
    return text[: here.start] + section + text[here.end :]


def _section(text: str, path: Path) -> Inside:
    span = find_object(text, path)
    if span is None:
        raise ConfigError(f"the section {'.'.join(path)} is no object")
    return inside(text[slice(*span)])


def _with_section(text: str, path: Path, section: Inside) -> str:
    span = find_object(text, path) or Span(0, 0)
    return text[: span.start] + section.text() + text[span.end :]


def _with_object(text: str, path: Path) -> str:
    """The text with an object at `path`: an empty one is added at the end of its parent where there is none."""
    for depth in range(1, len(path) + 1):
        if find_object(text, path[:depth]) is None:
            parent = _section(text, path[: depth - 1])
            if any(member.name == path[depth - 1] for member in parent.members):
                raise ConfigError(f"the section {'.'.join(path[:depth])} is no object any more")
            added = _member(path[depth - 1], {}, parent.members[-1] if parent.members else None, parent)
            parent = replace(parent, members=(*parent.members, added))
            text = _with_section(text, path[: depth - 1], parent)
    return text


def _member(name: str, value: Mapping[str, Any], like: Member | None, section: Inside) -> Member:
    """A new member in the style of one that stands, or stood, there: on one line, or indented as deep."""
    lead = like.lead if like else "\n  "
    newline = "\r\n" if "\r\n" in lead + section.tail else "\n"
    indent = _indent_of(lead)
    if indent is None:
        return Member(name, " " if lead[:1] == " " else "", f"{written(name)}: {written(value)}")
    closing = _indent_of(section.tail) or ""
    unit = indent.removeprefix(closing) or "  "
    flat = like is not None and "\n" not in like.body
    body = written(value) if flat else written(value, unit).replace("\n", newline + indent)
    return Member(name, newline + indent, f"{written(name)}: {body}")


def _indent_of(blanks: str) -> str | None:
    found = _INDENT.search(blanks)
    return found[1] if found else None
