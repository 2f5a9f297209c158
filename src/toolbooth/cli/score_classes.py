"""What `--classes` was given (text, or a YAML or JSON file) → classes of interchangeable tools."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from toolbooth.errors import UserMistake
from toolbooth.safetext import for_terminal

if TYPE_CHECKING:
    from toolbooth.catalog.config import Document

HOW = "as in 'search=brave.web_search,google.search;fetch=http.get'"
At = tuple[str | int, ...]


class _Entry(NamedTuple):
    name: object
    members: object
    at: At


def read_classes(given: str) -> dict[str, list[str]]:
    """A file of that name is read; else the text itself is taken, by its `=`."""
    if _is_there(given):
        return {name: _spelled(members) for name, members in _of_file(Path(given)).items()}
    if "=" not in given:
        raise UserMistake(f"--classes: {for_terminal(given, 80)!r} is no file, and no classes {HOW}")
    return {name: _spelled(members) for name, members in _of_text(given).items()}


def _spelled(members: list[str]) -> list[str]:
    """`server__tool` as `server.tool`, too: a tool that has `__` in its own name keeps it."""
    found: list[str] = []
    for member in members:
        found.append(member)
        server, joint, tool = member.removeprefix("mcp__").partition("__")
        if server and joint and tool and "__" not in tool and "." not in member:
            found.append(f"{server}.{tool}")
    return list(dict.fromkeys(found))


def _is_there(name: str) -> bool:
    try:
        return bool(name) and Path(name).exists()
    except (OSError, ValueError):  # classes written out may be no name that a file can have
        return False


def _of_text(text: str) -> dict[str, list[str]]:
    classes: dict[str, list[str]] = {}
    for part in filter(str.strip, text.split(";")):
        name, equals, members = part.partition("=")
        names = [member.strip() for member in members.split(",") if member.strip()]
        shown = for_terminal(part.strip(), 60)
        if not equals or not name.strip() or not names:
            raise UserMistake(f"--classes: {shown!r} is no class; write name and members, {HOW}")
        if name.strip() in classes:
            raise UserMistake(f"--classes: {for_terminal(name.strip(), 60)!r} is given twice")
        classes[name.strip()] = names
    if not classes:
        raise UserMistake(f"--classes: there is no class in it; write them {HOW}")
    return classes


def _of_file(path: Path) -> dict[str, list[str]]:
    from toolbooth.catalog.config import parse_document

    document = parse_document(path)
    classes: dict[str, list[str]] = {}
    for entry in _entries(document):
        name = entry.name
        if not isinstance(name, str) or not name.strip():
            raise document.mistake("a class needs a name", entry.at)
        if name in classes:
            raise document.mistake(f"the class {for_terminal(name, 60)!r} is given twice", entry.at)
        classes[name] = _members(document, entry)
    if not classes:
        raise document.mistake("there are no classes in it")
    return classes


def _entries(document: "Document") -> Iterator[_Entry]:
    value: Any = document.value
    at: At = ()
    if (
        isinstance(value, Mapping)
        and set(value) == {"classes"}
        and isinstance(value["classes"], Mapping | list)
    ):
        held = value["classes"]
        if isinstance(held, Mapping) or all(isinstance(each, Mapping) for each in held):
            value, at = held, ("classes",)
    if isinstance(value, Mapping):
        yield from (_Entry(name, members, (*at, name)) for name, members in value.items())
    elif isinstance(value, list):
        for index, item in enumerate(value):
            if not isinstance(item, Mapping) or not {"name", "members"}.issuperset(item):
                raise document.mistake("a class is a map of name and members", (*at, index))
            yield _Entry(item.get("name"), item.get("members"), (*at, index))
    else:
        raise document.mistake("classes are a map of names to members, or a list of {name, members}")


def _members(document: "Document", entry: _Entry) -> list[str]:
    members = [entry.members] if isinstance(entry.members, str) else entry.members
    filled = isinstance(members, list) and all(isinstance(each, str) and each.strip() for each in members)
    if not isinstance(members, list) or not members or not filled:
        shown = for_terminal(str(entry.name), 60)
        raise document.mistake(f"the members of {shown!r} must be a list of tools, and not empty", entry.at)
    return members
