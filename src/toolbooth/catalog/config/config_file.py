"""One config file: parsed with the positions of its keys, and its servers in two stages.

`RawConfig` and `RawServer` hold what the reader of a format finds, unchecked. `ConfigFile` holds the checked servers,
the same for every client.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from toolbooth import errors, limits
from toolbooth.catalog.config.gateway_settings import AnswerCaps
from toolbooth.catalog.config.regular_file import read_regular
from toolbooth.catalog.config.syntax import SUFFIXES, SYNTAXES, Parsed, SyntaxFault, TextPosition
from toolbooth.catalog.server_spec import ServerSpec
from toolbooth.catalog.tool_filter import EVERY_TOOL, ToolFilter

UTF8_BOM: Final = b"\xef\xbb\xbf"
_OTHER_BOMS: Final = (b"\xff\xfe", b"\xfe\xff")
_JSON_COMMENTS: Final = re.compile(r"(?:\s|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_HASH_COMMENTS: Final = re.compile(r"(?:\s|#[^\n]*)*")
_TELLTALES: Final = (
    ("json", _JSON_COMMENTS, re.compile(r"\{")),
    (
        "toml",
        _HASH_COMMENTS,
        re.compile(r"\[\[?[\w \t.\"'-]+\]\]?[ \t]*(?:#|\r?\n|$)|(?<![\w.-])[\w.-]++[ \t]*+="),
    ),
    ("yaml", _HASH_COMMENTS, re.compile(r"---(?:\s|$)|%YAML|(?<![\w.-])[\w.-]++:(?:\s|$)")),
)


@dataclass(frozen=True)
class Document:
    """One parsed file. The value may hold secrets, so it is in no repr."""

    path: Path
    syntax: str
    value: Any = field(repr=False)
    keys: Mapping[tuple[str | int, ...], TextPosition] = field(default_factory=dict, repr=False, hash=False)
    values: Mapping[tuple[str | int, ...], TextPosition] = field(default_factory=dict, repr=False, hash=False)

    def mistake(
        self, message: str, at: tuple[str | int, ...] = (), *, key: bool = False
    ) -> errors.ConfigError:
        """The error about the value at `at`, with line and column if they are known."""
        mark = (self.keys if key else self.values).get(at)
        return errors.ConfigError(message, self.path, *(mark or (None, None)))


def parse_document(path: Path, max_bytes: int = limits.MAX_CONFIG_BYTES) -> Document:
    """Read and parse a JSON (with comments), TOML or YAML file; the content decides which it is."""
    return parse_bytes(path, read_regular(path, max_bytes))


def parse_bytes(path: Path, data: bytes) -> Document:
    """Parse the bytes of a config that were already read."""
    text = decoded(path, data)
    if not text.strip():
        raise errors.ConfigError("the file is empty", path)
    syntax = sniff(text, path.suffix)
    try:
        parsed: Parsed = SYNTAXES[syntax](text)
    except SyntaxFault as fault:
        raise errors.ConfigError(fault.reason, path, fault.line, fault.column) from None
    except RecursionError:
        raise errors.ConfigError("is nested too deeply", path) from None
    return Document(path, syntax, parsed.value, parsed.keys, parsed.values)


def sniff(text: str, suffix: str) -> str:
    """The name of the syntax, from the first characters or else from the suffix."""
    hint = SUFFIXES.get(suffix.lower(), "")
    for syntax, comments, telltale in _TELLTALES:
        skipped = comments.match(text)
        if telltale.match(text, skipped.end() if skipped else 0):
            # `{` also opens a YAML flow mapping, and JSON is valid YAML, so the suffix decides here.
            return "yaml" if (syntax, hint) == ("json", "yaml") else syntax
    return hint or "json"


def decoded(path: Path, data: bytes) -> str:
    """The text of a file, without its byte order mark."""
    if data.startswith(_OTHER_BOMS) or b"\x00" in data[:4]:
        raise errors.ConfigError("is UTF-16, not UTF-8; save it again as UTF-8", path, 1, 1)
    body = data.removeprefix(UTF8_BOM)
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError as error:
        before = body[: error.start].decode("utf-8")
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        raise errors.ConfigError("is not UTF-8; save it again as UTF-8", path, line, column) from None


@dataclass(frozen=True, repr=False)
class RawServer:
    """One server as the file has it, unchecked; timeouts are in seconds.

    `project` is the only folder that it is for; `disabled_in` are folders in which it is disabled.
    """

    name: str
    command: object = None
    args: object = None
    env: object = None
    env_file: object = None
    forward: tuple[str, ...] = ()
    cwd: object = None
    url: object = None
    headers: object = None
    transport: object = None
    timeout: object = None
    call_timeout: object = None
    idle_stop: float | None = None
    concurrency: int | None = None
    disabled: bool = False
    disabled_in: tuple[Path, ...] = ()
    project: Path | None = None
    tools: ToolFilter = EVERY_TOOL
    loaded: bool = False
    unusable: str = ""


@dataclass(frozen=True, repr=False)
class RawConfig:
    """Everything that a format's reader found in one file; `gateway` holds the settings that the file sets.

    `disables` are servers of other files that this file disables: the path of the file, and the name in it.
    """

    servers: tuple[RawServer, ...]
    inputs: Mapping[str, str | None] = field(default_factory=dict)
    bare_dollar: bool = False
    answer_caps: AnswerCaps = field(default_factory=AnswerCaps)
    gateway: Mapping[str, Any] = field(default_factory=dict)
    base: Path | None = None
    disables: frozenset[tuple[Path, str]] = frozenset()


def mappings(value: object) -> Iterator[tuple[str, Mapping[str, object]]]:
    """The entries of a mapping that are mappings themselves."""
    if isinstance(value, Mapping):
        yield from ((str(key), entry) for key, entry in value.items() if isinstance(entry, Mapping))


def with_environment(entry: Mapping[str, object]) -> bool:
    """Whether an entry is disabled, in the notation of any client."""
    return entry.get("disabled") is True or entry.get("enabled") is False or entry.get("isActive") is False


def texts_of_list(value: object) -> frozenset[str]:
    """The texts in a list of server names."""
    return (
        frozenset(item for item in value if isinstance(item, str)) if isinstance(value, list) else frozenset()
    )


@dataclass(frozen=True)
class ServerProblem:
    """A server that cannot be used, and why; the others of its file can."""

    server: str
    reason: str
    source: str = ""

    def __str__(self) -> str:
        return f"{self.server}: {self.reason}"


@dataclass(frozen=True)
class ConfigFile:
    """One checked file. `notes` say which servers have another name here than in the file.

    `gateway` holds the gateway settings that this file sets, by name. `disables` are servers of other files that this
    file disables: the path of the file, and the name of the server. `rules` are other files of its client that were
    read for it.
    """

    path: Path
    client: str
    servers: tuple[ServerSpec, ...] = ()
    problems: tuple[ServerProblem, ...] = ()
    disabled: tuple[str, ...] = ()
    answer_caps: AnswerCaps = field(default_factory=AnswerCaps)
    gateway: Mapping[str, Any] = field(default_factory=dict, hash=False)
    notes: tuple[str, ...] = ()
    disables: frozenset[tuple[Path, str]] = frozenset()
    rules: tuple[Path, ...] = ()
