"""Frozen corpus files, made from the tools of listed servers. A corpus never changes under the same version.

The file is `{version, generated_from: {servers: [{server, title?, version?, protocol?, instructions?, package?}],
missing?}, tools: [{tool_id, server, tool, description, schema?, server_description?, title?, annotations?,
outputSchema?}]}`. The same servers give the same bytes. Only the pinned package of a launch is written: no command,
variable, header or path.
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple

from toolbooth import errors, files, limits, own_json, safetext
from toolbooth.bench.package_pin import Pin, pin_of
from toolbooth.catalog import (
    SHORTEST_SECRET,
    Catalog,
    NotJson,
    ServerSpec,
    ServerTools,
    Tool,
    canonical,
    decode,
    given_values,
    sounds_secret,
)

__all__ = ["FreezeOutcome", "RecordedCorpus", "freeze", "record"]

FreezeOutcome = Literal["written", "replaced", "unchanged"]
_HIDDEN: Final = "•••"
_DIGITS: Final = 10
_ABOUT: Final = ("title", "version", "protocol", "instructions")
_OF_TOOL: Final = ("title", "annotations", "outputSchema")


class RecordedCorpus(NamedTuple):
    """A corpus that can be written.

    `unpinned` says for each server without a pin how to pin it. The servers in `hidden` quoted a secret of their own
    launch, which is left out.
    """

    document: dict[str, Any]
    unpinned: dict[str, str]
    hidden: tuple[str, ...]

    @property
    def version(self) -> str:
        """The version under which it never changes."""
        return str(self.document["version"])


def record(
    catalog: Catalog,
    specs: Sequence[ServerSpec] = (),
    missing: Iterable[str] = (),
    *,
    version: str = "",
    stem: str = "corpus",
) -> RecordedCorpus:
    """Freeze what was listed; without a `version` it is named after its content: `stem-<10 hex digits>`."""
    by_name = {spec.name: spec for spec in specs}
    servers = sorted(catalog.servers, key=lambda each: each.server)
    pins = {each.server: _pin(by_name.get(each.server), each) for each in servers}
    quoted = {each.server: (_about(each, pins[each.server]), list(_entries(each))) for each in servers}
    clean = {
        each.server: tuple(
            _without(part, _secrets(by_name.get(each.server), each)) for part in quoted[each.server]
        )
        for each in servers
    }
    origin: dict[str, Any] = {"servers": [about for about, _ in clean.values()]}
    absent = sorted({*missing, *(name for name, _ in catalog.missing)})
    content = {
        "generated_from": origin | ({"missing": absent} if absent else {}),
        "tools": [entry for _, entries in clean.values() for entry in entries],
    }
    return RecordedCorpus(
        {"version": version or f"{stem}-{_digest(content)}", **content},
        {server: pin.how for server, pin in pins.items() if pin.how},
        tuple(server for server, said in clean.items() if said != quoted[server]),
    )


def freeze(recording: RecordedCorpus, path: Path) -> FreezeOutcome:
    """Write it, unless the file holds another corpus of the same version, or is not a corpus."""
    data = own_json.encode(recording.document, indent=1, sort=True)
    before = _existing_corpus(path)
    if before == decode(data):
        return "unchanged"
    if before is not None and before["version"] == recording.version:
        raise errors.ConfigError(
            f'already has different content for version "{safetext.for_terminal(recording.version, 80)}", and '
            "a version never "
            "changes; give this one a new --name",
            path,
        )
    files.write_atomically(path, data)
    return "written" if before is None else "replaced"


def _pin(spec: ServerSpec | None, server: ServerTools) -> Pin:
    return Pin() if spec is None else pin_of(spec, server.version)


def _about(server: ServerTools, pin: Pin) -> dict[str, str]:
    known = {key: getattr(server, key) for key in _ABOUT}
    return {"server": server.server} | {k: v for k, v in (*known.items(), ("package", pin.package)) if v}


def _entries(server: ServerTools) -> Iterator[dict[str, Any]]:
    return (_entry(tool, server.description) for tool in sorted(server.tools, key=lambda each: each.name))


def _entry(tool: Tool, said: str) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "tool_id": f"{tool.server}:{tool.name}",
        "server": tool.server,
        "tool": tool.name,
    }
    entry["description"] = tool.description
    if tool.input_schema is not None:
        entry["schema"] = tool.input_schema
    if said:
        entry["server_description"] = said
    return entry | {key: tool.raw[key] for key in _OF_TOOL if tool.raw.get(key) is not None}


def _secrets(spec: ServerSpec | None, server: ServerTools) -> tuple[str, ...]:
    """The values in its launch that have secret-sounding names; a server may quote them in its descriptions.

    A word of its own names is not one: `postgres` is often the password of `postgres`.
    """
    named = [value for name, value in given_values(spec) if sounds_secret(name)] if spec else []
    parts = {part for value in named for part in (value, *value.split()) if len(part) >= SHORTEST_SECRET}
    public = (server.server, *(tool.name for tool in server.tools))
    kept = [part for part in parts if not any(part in name for name in public)]
    return tuple(sorted(kept, key=lambda part: (-len(part), part)))


def _without(value: Any, secrets: Sequence[str]) -> Any:
    if isinstance(value, str):
        for secret in secrets:
            value = value.replace(secret, _HIDDEN)
        return value
    if isinstance(value, Mapping):
        return {_without(key, secrets): _without(inner, secrets) for key, inner in value.items()}
    return [_without(inner, secrets) for inner in value] if isinstance(value, list) else value


def _digest(content: Mapping[str, Any]) -> str:
    return hashlib.sha256(canonical(content).encode("utf-8", "surrogatepass")).hexdigest()[:_DIGITS]


def _existing_corpus(path: Path) -> dict[str, Any] | None:
    """The corpus in the file, if there is one; raises for a file of another kind, which must not be replaced."""
    try:
        if not path.exists():
            return None
        if not path.is_file() or path.stat().st_size > limits.MAX_CATALOG_BYTES:
            raise NotJson("too large")
        document = decode(path.read_bytes())
    except OSError as error:
        raise errors.ConfigError(f"cannot be read: {error.strerror or error}", path) from None
    except NotJson:
        document = None
    if not isinstance(document, dict) or not {"version", "tools"} <= document.keys():
        raise errors.ConfigError("is not a corpus, so it is not replaced; name another --output", path)
    return document
