"""Rewriting the text of a TOML config: tables of servers are replaced by the gateway's table, and put back."""

import re
import tomllib
from collections.abc import Collection, Iterator, Mapping
from typing import Any, Final, NamedTuple

from toolbooth import errors
from toolbooth.catalog.config.wrapping.json_rewrite import written

TablePath = tuple[str, ...]
# Strings and comments whole, so that a bracket or a line that only looks like a header inside one is not seen.
_TOKEN: Final = re.compile(
    r'"""(?:[^\\]|\\.)*?"{3,5}|\'\'\'.*?\'{3,5}|"(?:[^"\\\n]|\\.)*+"?|\'[^\'\n]*\'|#[^\n]*|[\[{]|[\]}]|\n',
    re.DOTALL,
)
_HEADER: Final = re.compile(r"[ \t]*\[")
_BARE: Final = re.compile(r"[A-Za-z0-9_-]+")


class TableBlock(NamedTuple):
    """A table with its header, the comments right above it and all up to the next block; `path` is its name."""

    path: TablePath
    text: str

    def server(self, section: TablePath) -> str | None:
        """The server that it is about, or about a part of."""
        inside = self.path[: len(section)] == section and len(self.path) > len(section)
        return self.path[len(section)] if inside else None


def blocks(text: str) -> list[TableBlock]:
    """Cut the text into blocks, losing no character; the first, without a name, is what stands above all tables."""
    headers = list(_headers(text))
    starts = [_with_comments_above(text, header) for header in headers]
    ends = [*starts, len(text)]
    found = [TableBlock((), text[: ends[0]])]
    for number, header in enumerate(headers):
        found.append(TableBlock(_name(text, header), text[starts[number] : ends[number + 1]]))
    return found


def movable(text: str, path: TablePath) -> frozenset[str]:
    """The servers that stand in tables of their own; one written inline or with dotted keys cannot be cut out."""
    value = _at(tomllib.loads(text), path)
    alone: dict[str, str] = {}
    for block in blocks(text):
        if name := block.server(path):
            alone[name] = alone.get(name, "") + block.text
    return frozenset(name for name, part in alone.items() if _reads_as(part, (*path, name), value.get(name)))


def move_out(text: str, path: TablePath, moved: Collection[str], name: str, entry: Mapping[str, Any]) -> str:
    """Put one table in the place of the first of the moved servers, and take the others out."""
    found = blocks(text)
    at = next(number for number, block in enumerate(found) if block.server(path) in moved)
    last = all(block.server(path) in moved for block in found[at:])
    table = _table((*path, name), entry, "\r\n" if "\r\n" in text else "\n", last=last)
    return "".join(
        table if number == at else block.text
        for number, block in enumerate(found)
        if number == at or block.server(path) not in moved
    )


def move_back(text: str, path: TablePath, name: str, original: str, called: Mapping[str, str]) -> str:
    """Put tables of the original text in the place of the entry's, or at the end where that has gone."""
    servers = [
        _called(block, path, called[server])
        for block in blocks(original)
        if (server := block.server(path)) in called and server is not None
    ]
    found = blocks(text)
    at = next((number for number, block in enumerate(found) if block.server(path) == name), len(found))
    pieces = [block.text for block in found[:at]]
    pieces += servers
    pieces += [block.text for block in found[at:] if block.server(path) != name]
    return _joined(pieces)


def set_keys(text: str, path: TablePath, name: str, values: Mapping[str, Any]) -> str:
    """Give one server other values, each in its place or below `args`; None takes a key out, and all else stays."""
    found = blocks(text)
    at = next((number for number, block in enumerate(found) if block.path == (*path, name)), None)
    if at is None or _statement(found[at].text, "args") is None:
        raise errors.ConfigError(f"the arguments of {name} are not in a table of its own")
    new = found[at].text
    for key, value in values.items():
        new = _with_value(new, key, value)
    return "".join(new if number == at else each.text for number, each in enumerate(found))


def _with_value(block: str, key: str, value: Any) -> str:
    place = _statement(block, key)
    if value is not None and place is not None:
        return f"{block[: place.start]}{key} = {written(value)}{block[place.end :]}"
    if place is not None:
        return block[: place.start] + block[place.end :].partition("\n")[2]
    above = _statement(block, "args") if value is not None else None
    if above is None:
        return block
    end = block.find("\n", above.end)
    newline = "\r\n" if "\r\n" in block else "\n"
    line = f"{key} = {written(value)}"
    return f"{block}{newline}{line}" if end < 0 else f"{block[: end + 1]}{line}{newline}{block[end + 1 :]}"


def restore_section(text: str, path: TablePath, original: str) -> str:
    """Tables have no section around them: every server of the original goes back to where the first is now."""
    found = blocks(text)
    at = next(number for number, block in enumerate(found) if block.server(path))
    servers = [block.text for block in blocks(original) if block.server(path)]
    others = [block.text for block in found[at:] if not block.server(path)]
    return _joined([*(block.text for block in found[:at]), *servers, *others])


def _joined(pieces: list[str]) -> str:
    """A block that was the last of its file may lack its line's end."""
    filled = [piece for piece in pieces if piece]
    return "".join(piece if piece.endswith("\n") else piece + "\n" for piece in filled[:-1]) + "".join(
        filled[-1:]
    )


def _headers(text: str) -> Iterator[int]:
    """Where the lines begin that open a table."""
    depth, line = 0, 0
    if _HEADER.match(text):
        yield 0
    for token in _TOKEN.finditer(text):
        sign = token[0]
        if sign == "\n":
            line = token.end()
            if depth == 0 and _HEADER.match(text, line):
                yield line
        elif sign in "[{":
            depth += 1
        elif sign in "]}":
            depth -= 1


class _Statement(NamedTuple):
    start: int
    end: int


def _statement(block: str, key: str) -> _Statement | None:
    """Where `key = value` stands in a block, without the comment and the line's end behind it."""
    wanted = re.compile(rf"[ \t]*(?:{key}|\"{key}\"|'{key}')[ \t]*=")
    start, depth, inside = 0, 0, False
    for token in _TOKEN.finditer(block):
        sign = token[0]
        depth += (sign in ("[", "{")) - (sign in ("]", "}"))
        if inside and depth == 0 and (sign == "\n" or sign.startswith("#")):
            return _Statement(start, len(block[: token.start()].rstrip()))
        if sign == "\n" and depth == 0:
            start, inside = token.end(), wanted.match(block, token.end()) is not None
    return _Statement(start, len(block.rstrip())) if inside else None


def _with_comments_above(text: str, header: int) -> int:
    while header and text[text.rfind("\n", 0, header - 1) + 1 : header].lstrip().startswith("#"):
        header = text.rfind("\n", 0, header - 1) + 1
    return header


def _line(text: str, start: int) -> str:
    end = text.find("\n", start)
    return text[start : end if end >= 0 else None].removesuffix("\r")


def _name(text: str, header: int) -> TablePath:
    value: Any = tomllib.loads(_line(text, header))
    name: list[str] = []
    while isinstance(value, dict | list) and value:
        if isinstance(value, list):
            value = value[0]
            continue
        ((key, value),) = value.items()
        name.append(key)
    return tuple(name)


def _called(block: TableBlock, section: TablePath, name: str) -> str:
    """The block under another server's name."""
    if block.path[len(section)] == name:
        return block.text
    header = next(_headers(block.text))
    line = _line(block.text, header)
    path = _dotted((*section, name, *block.path[len(section) + 1 :]))
    renamed = f"[[{path}]]" if line.lstrip().startswith("[[") else f"[{path}]"
    return block.text[:header] + renamed + block.text[header + len(line) :]


def _table(path: TablePath, entry: Mapping[str, Any], newline: str, *, last: bool) -> str:
    lines = [f"[{_dotted(path)}]", *(f"{key} = {written(value)}" for key, value in entry.items())]
    return newline.join([*lines, "" if last else newline])


def _dotted(path: TablePath) -> str:
    return ".".join(part if _BARE.fullmatch(part) else written(part) for part in path)


def _at(value: Any, path: TablePath) -> Mapping[str, Any]:
    for key in path:
        value = value.get(key) if isinstance(value, Mapping) else None
    return value if isinstance(value, Mapping) else {}


def _reads_as(text: str, path: TablePath, value: object) -> bool:
    try:
        return _at(tomllib.loads(text), path) == value
    except tomllib.TOMLDecodeError:
        return False
