"""`toolbooth.lock`: the file format of a lock. Writing gives stable bytes, and reading verifies every digest.

Digests are nested: tool, section, server, whole lock. Reading verifies from the inside out, so an error names the
smallest part that was edited.
"""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from toolbooth import catalog, errors, files, limits, own_json
from toolbooth.catalog.config import read_regular
from toolbooth.contracts import budgets
from toolbooth.contracts.contract import Contracts, Economics, ServerContract, ToolContract
from toolbooth.contracts.digest import digest_of
from toolbooth.contracts.lock import Acceptance, Lock, Signature

__all__ = ["lock_bytes", "lock_digest", "parse_lock", "read_lock", "write_lock"]


SERVER_FIELDS: Final = ("instructions", "prompts", "resources", "templates", "title", "version")
LockEntry = Mapping[str, Any]


def tool_seal(entry: LockEntry) -> str:
    """The digest of a tool's whole entry, in which `digest` represents its definition."""
    return digest_of([entry["digest"], entry["tokens"], entry["economics"]])


def server_sections(entry: LockEntry) -> dict[str, str]:
    """One digest for each field of a server, and one for all its tools."""
    tools = {name: tool["seal"] for name, tool in entry["tools"].items()}
    return {**{key: digest_of(entry[key]) for key in SERVER_FIELDS}, "tools": digest_of(tools)}


def server_digest(name: str, entry: LockEntry) -> str:
    """The digest of a server and its name."""
    return digest_of([name, entry["sections"]])


def lock_sections(document: LockEntry) -> dict[str, str]:
    """One digest for each part of the lock."""
    servers = {name: server["digest"] for name, server in document["servers"].items()}
    return {
        "accepted": digest_of(document["accepted"]),
        "budgets": digest_of(document["budgets"]),
        "servers": digest_of(servers),
    }


def whole_digest(document: LockEntry) -> str:
    """The digest of the lock without its signature. The signature signs this digest."""
    return digest_of([document[key] for key in ("format", "version", "encoding", "sections")])


HOW_TO_REPAIR: Final = "restore it from version control, or delete it and run `toolbooth lock` again"
_OF_TOOL: Final = frozenset({"definition", "digest", "economics", "seal", "tokens"})
_OF_SERVER: Final = frozenset({*SERVER_FIELDS, "digest", "sections", "tools"})
_OF_LOCK: Final = frozenset(
    {"accepted", "budgets", "digest", "encoding", "format", "sections", "servers", "version"}
)
_OF_ACCEPTED: Final = frozenset({"what", "digest", "reason"})
_SINCE_VERSION_2: Final = frozenset({"at", "by", "findings"})
_OF_SIGNATURE: Final = frozenset({"algorithm", "key", "value"})


def checked_lock(document: LockEntry, path: Path) -> Lock:
    """Verify from the inside out; raises ConfigError that names the smallest edited part."""
    try:
        return _lock(document)
    except _Edited as edited:
        raise errors.ConfigError(f"{edited}; {HOW_TO_REPAIR}", path) from None


class _Edited(Exception):
    """`str()` names the edited part, and how that was noticed."""


def _edited(where: str, how: str = "it does not match its digest") -> _Edited:
    return _Edited(f"{where} was edited by hand ({how})")


def _lock(document: LockEntry) -> Lock:
    signed = "signature" in document
    _object(document, "the lock", _OF_LOCK | ({"signature"} if signed else set()))
    servers = _object(document["servers"], "the section servers")
    contracts = {name: _server(name, entry) for name, entry in servers.items()}
    _check_sections(document["sections"], lock_sections(document), "the section ")
    if document["digest"] != whole_digest(document) or not isinstance(document["encoding"], str):
        raise _edited("the head (encoding or digest)")
    accepted = _list(document["accepted"], "the section accepted")
    return Lock(
        Contracts(contracts, document["encoding"]),
        _budgets(document["budgets"]),
        tuple(_acceptance(each) for each in accepted),
        Signature(**_texts(document["signature"], "the section signature", _OF_SIGNATURE))
        if signed
        else None,
    )


def _server(name: str, entry: Any) -> ServerContract:
    where = f"server {name}"
    _object(entry, where, _OF_SERVER)
    tools = _object(entry["tools"], f"{where}, section tools")
    contracts = {each: _tool(name, each, tool) for each, tool in tools.items()}
    _check_sections(entry["sections"], server_sections(entry), f"{where}, section ")
    if entry["digest"] != server_digest(name, entry):
        raise _edited(where)
    fields = {key: entry[key] for key in SERVER_FIELDS}
    for key in ("prompts", "resources", "templates"):
        here = f"{where}, section {key}"
        fields[key] = tuple(_object(each, here) for each in _list(entry[key], here))
    _texts({key: fields[key] for key in ("instructions", "title", "version")}, where)
    return ServerContract(name, contracts, **fields)


def _tool(server: str, name: str, entry: Any) -> ToolContract:
    where = f"server {server}, tool {name}"
    _object(entry, where, _OF_TOOL)
    raw, tokens = _object(entry["definition"], where), entry["tokens"]
    if raw.get("name") != name or entry["digest"] != digest_of(raw) or entry["seal"] != tool_seal(entry):
        raise _edited(where)
    if type(tokens) is not int:
        raise _edited(where, "its tokens are not a number")
    try:
        catalog.Tool.from_raw(server, raw)
    except catalog.MalformedTool as error:
        raise _edited(where, str(error)) from None
    contract = ToolContract(server, name, raw, tokens, _economics(entry["economics"], where))
    # Just verified; hashing 20,000 tools again would take a second
    vars(contract)["digest"] = entry["digest"]
    return contract


def _economics(entry: Any, where: str) -> Economics:
    shape = {key: type(value) for key, value in Economics().as_json().items()}
    _object(entry, where, frozenset(shape))
    if {key: type(value) for key, value in entry.items()} != shape:
        raise _edited(where, "its economics have a wrong type")
    return Economics(**entry)


def _acceptance(entry: Any) -> Acceptance:
    where = "the section accepted"
    known = _object(entry, where)
    fields = dict(_object(entry, where, _OF_ACCEPTED | (_SINCE_VERSION_2 & known.keys())))
    findings = _list(fields.pop("findings", []), where)
    _texts(dict(enumerate(findings)), where)
    return Acceptance(**_texts(fields, where), findings=tuple(findings))


def _budgets(entry: Any) -> budgets.Budgets:
    try:
        return budgets.Budgets.from_json(entry)
    except ValueError as error:
        raise _edited("the section budgets", str(error)) from None


def _check_sections(given: Any, right: Mapping[str, str], prefix: str) -> None:
    for name, digest in right.items():
        if not isinstance(given, Mapping) or given.get(name) != digest:
            raise _edited(f"{prefix}{name}")
    _object(given, f"{prefix}sections", frozenset(right))


def _object(value: Any, where: str, keys: frozenset[str] | None = None) -> LockEntry:
    """Check that a value is an object, with exactly these keys if given."""
    if not isinstance(value, Mapping):
        raise _edited(where, "it is not an object")
    found = set(value) if keys is not None else frozenset()
    for key in sorted(found ^ (keys or frozenset())):
        raise _edited(where, f"the key {key!r} is {'unknown' if key in found else 'missing'}")
    return value


def _list(value: Any, where: str) -> list[Any]:
    if not isinstance(value, list):
        raise _edited(where, "it is not a list")
    return value


def _texts(value: Any, where: str, keys: frozenset[str] | None = None) -> LockEntry:
    for key, each in _object(value, where, keys).items():
        if not isinstance(each, str):
            raise _edited(where, f"{key} is not a string")
    return value  # type: ignore[no-any-return]


FORMAT: Final = "toolbooth-lock"
VERSION: Final = 2
_POSITION: Final = re.compile(r",? ?(?:at|:) line (\d+) column (\d+)(?: \(char \d+\))?$")


def write_lock(lock: Lock, path: Path) -> None:
    """Write the lock atomically. A lock that could not be read back is not written."""
    data = lock_bytes(lock)
    try:
        parse_lock(data, path)
    except errors.ConfigError as error:
        raise errors.ConfigError(
            f"was not written, because it could not be read back: {error.message}", path
        ) from None
    files.write_atomically(path, data)


def lock_bytes(lock: Lock) -> bytes:
    """The file's bytes. Equal locks give equal bytes: sorted keys, and nothing of the time or machine."""
    return own_json.encode(_document(lock), indent=2, sort=True)


def lock_digest(lock: Lock) -> str:
    """The digest of everything but the signature: what a signature signs."""
    return str(_document(lock)["digest"])


def _document(lock: Lock) -> dict[str, Any]:
    document: dict[str, Any] = {
        "format": FORMAT,
        "version": lock.version,
        "encoding": lock.contracts.encoding,
        "budgets": lock.budgets.as_json(),
        "accepted": [each.as_json() for each in lock.accepted],
        "servers": {name: _server_entry(server) for name, server in lock.contracts.servers.items()},
    }
    document["sections"] = lock_sections(document)
    document["digest"] = whole_digest(document)
    return document if lock.signature is None else {**document, "signature": lock.signature.as_json()}


def _server_entry(server: ServerContract) -> dict[str, Any]:
    fields = {key: getattr(server, key) for key in SERVER_FIELDS}
    entry: dict[str, Any] = {
        key: list(value) if isinstance(value, tuple) else value for key, value in fields.items()
    }
    entry["tools"] = {name: _tool_entry(tool) for name, tool in server.tools.items()}
    entry["sections"] = server_sections(entry)
    entry["digest"] = server_digest(server.server, entry)
    return entry


def _tool_entry(tool: ToolContract) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "definition": tool.raw,
        "digest": tool.digest,
        "economics": tool.economics.as_json(),
        "tokens": tool.tokens,
    }
    return {**entry, "seal": tool_seal(entry)}


def read_lock(path: Path) -> Lock:
    """Read and verify; raises ConfigError that names the line, the section and what to do."""
    return parse_lock(read_regular(path, limits.MAX_LOCK_BYTES), path)


def parse_lock(data: bytes, path: Path) -> Lock:
    """Parse the bytes of a lock that were already read."""
    document = _decoded(data, path)
    if not isinstance(document, Mapping) or document.get("format") != FORMAT:
        raise errors.ConfigError(
            "is not a lock: its `format` is not toolbooth-lock; `toolbooth lock` writes one", path
        )
    version = document.get("version")
    if isinstance(version, int) and version > VERSION:
        raise errors.ConfigError(
            f"has lock format {version}, but this Toolbooth reads up to {VERSION}; install a newer Toolbooth",
            path,
        )
    if isinstance(version, bool) or version not in range(1, VERSION + 1):
        raise errors.ConfigError(f"has no valid format version; {HOW_TO_REPAIR}", path)
    return checked_lock(document, path)


def _decoded(data: bytes, path: Path) -> Any:
    if not data.strip():
        raise errors.ConfigError(f"is empty; {HOW_TO_REPAIR}", path)
    if b"\n<<<<<<< " in data or data.startswith(b"<<<<<<< "):
        raise errors.ConfigError(
            "has a merge conflict; take one side, then run `toolbooth lock --accept --reason …`", path
        )
    try:
        return catalog.decode(data)
    except catalog.NotJson as error:
        found = _POSITION.search(str(error))
        line, column = (int(found[1]), int(found[2])) if found else (None, None)
        reason = str(error)[: found.start()] if found else str(error)
        raise errors.ConfigError(
            f"is truncated or not JSON ({reason}); {HOW_TO_REPAIR}", path, line, column
        ) from None
