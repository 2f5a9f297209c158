"""Toolbooth's own JSON files: stable bytes out, typed values in.

A module declares the content of its file as a dataclass or a Struct, with `format` and `version`, and an `OwnFormat`
that says what to do about a file that does not fit. msgspec checks every key and type while it reads. It is imported
when a file is read or written: most starts do neither.

The daemon's journal and hello are not written here but with `json`: the bridge would pay for the import of msgspec at
every start of a client.
"""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Generic, TypeVar

from toolbooth import errors, safetext

Content = TypeVar("Content")
_UNSAFE: Final = re.compile(r"[^\n -~]")  # not ASCII, or the control character that JSON does not escape
_HALF_A_PAIR: Final = re.compile(rb"\\u[dD][89a-fA-F]")
_REASON: Final = re.compile(r"(?s)(.*) - at `\$\.?(.*)`")
_CUT: Final = "it is not JSON, or was cut off while being written"


@dataclass
class FileHeader:
    """What every file of ours begins with."""

    format: Any = None
    version: Any = None


@dataclass(frozen=True)
class OwnFormat(Generic[Content]):
    """A file format of ours, and the errors for a file that is of another format or version, or damaged.

    `other_version` may name the `{version}` of the file, and `damaged` the `{reason}`.
    """

    content: type[Content]
    name: str
    version: int
    foreign: str
    other_version: str
    damaged: str

    def read(self, data: bytes, path: Path | None = None) -> Content:
        """The content of a file; raises ConfigError with one line that says what to do."""
        return self._checked(data, decode, path)

    def read_value(self, value: object, path: Path | None = None) -> Content:
        """As `read`, for a file that was parsed already to see what it is."""
        import msgspec

        return self._checked(value, msgspec.convert, path)

    def _checked(self, given: Any, parse: Callable[..., Any], path: Path | None) -> Content:
        import msgspec

        try:
            self._check(parse(given, FileHeader), path)
        except msgspec.ValidationError:  # JSON, but not an object
            raise errors.ConfigError(self.foreign, path) from None
        except (ValueError, RecursionError):
            raise errors.ConfigError(self.damaged.format(reason=_CUT), path) from None
        try:
            content: Content = parse(given, self.content)
        except (ValueError, RecursionError) as error:
            raise errors.ConfigError(self.damaged.format(reason=reason(error)), path) from None
        return content

    def _check(self, header: FileHeader, path: Path | None) -> None:
        if header.format != self.name:
            raise errors.ConfigError(self.foreign, path)
        if type(header.version) is not int or header.version != self.version:
            found = safetext.for_terminal(str(header.version), 20)
            raise errors.ConfigError(self.other_version.format(version=found), path)


def decode(data: bytes | memoryview, kind: type[Content]) -> Content:
    """Read JSON into a type; raises ValueError or RecursionError."""
    import msgspec

    try:
        return msgspec.json.decode(data, type=kind, dec_hook=_made)
    except msgspec.ValidationError:
        raise
    except msgspec.DecodeError:
        if not _HALF_A_PAIR.search(data):
            raise
    # A file name that is not UTF-8 has half a surrogate pair, which json reads and writes as an escape
    return msgspec.convert(json.loads(bytes(data)), kind, dec_hook=_made)


def encode(value: object, *, indent: int = 0, sort: bool = False, only_ascii: bool = False) -> bytes:
    """JSON, in one line or indented with a newline at its end; sorted keys give the same bytes for the same value."""
    import msgspec

    end = b"\n" if indent else b""
    try:
        data = msgspec.json.encode(value, enc_hook=_plain, order="sorted" if sort else None)
    except UnicodeEncodeError:
        plain = msgspec.to_builtins(value, enc_hook=_plain)
        return json.dumps(plain, indent=indent or None, sort_keys=sort).encode() + end
    data = msgspec.json.format(data, indent=indent) if indent else data
    return (_escaped(data) if only_ascii else data) + end


def reason(error: Exception) -> str:
    """Why a value does not fit, on one line, with its place first."""
    found = _REASON.fullmatch(str(error))
    said, place = found.groups() if found else (str(error), "")
    said = said.replace("`", "'").removeprefix("Object contains ").removeprefix("Object ")
    return safetext.for_terminal(f"{place}: {said[:1].lower()}{said[1:]}".removeprefix(": "), 160)


def _made(kind: Callable[[Any], Any], value: Any) -> Any:
    """A value of a type that JSON does not have, such as a path."""
    return kind(value)


def _plain(value: Any) -> str:
    if isinstance(value, Path):
        return str(value)
    raise TypeError(f"{type(value).__name__} is not JSON")


def _escaped(data: bytes) -> bytes:
    return _UNSAFE.sub(lambda found: json.dumps(found[0])[1:-1], data.decode()).encode("ascii")
