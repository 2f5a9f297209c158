"""The parsed text of a lock → the lock, or the name of the section that does not fit its digest."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from toolbooth.catalog import MalformedTool, Tool
from toolbooth.contracts.budgets import Budgets
from toolbooth.contracts.contract import Contracts, Economics, ServerContract, ToolContract
from toolbooth.contracts.digest import digest_of
from toolbooth.contracts.lock import Acceptance, Lock, Signature
from toolbooth.contracts.lock_seals import (
    SAID,
    lock_sections,
    server_digest,
    server_sections,
    tool_seal,
    whole_digest,
)
from toolbooth.errors import ConfigError

MEND: Final = "restore it from version control, or delete it and run `toolbooth lock` anew"
_OF_TOOL: Final = frozenset({"definition", "digest", "economics", "seal", "tokens"})
_OF_SERVER: Final = frozenset({*SAID, "digest", "sections", "tools"})
_OF_LOCK: Final = frozenset(
    {"accepted", "budgets", "digest", "encoding", "format", "sections", "servers", "version"}
)
_OF_ACCEPTED: Final = frozenset({"what", "digest", "reason"})
_SINCE_VERSION_2: Final = frozenset({"at", "by", "findings"})
_OF_SIGNATURE: Final = frozenset({"algorithm", "key", "value"})
Entry = Mapping[str, Any]


def checked_lock(document: Entry, path: Path) -> Lock:
    """Verify from the inside out, so that what was edited is named as closely as can be; raises ConfigError."""
    try:
        return _lock(document)
    except _Edited as edited:
        raise ConfigError(f"{edited}; {MEND}", path) from None


class _Edited(Exception):
    """`str()` says where, and how that is known."""


def _edited(where: str, how: str = "it does not fit its digest") -> _Edited:
    return _Edited(f"{where} was edited by hand ({how})")


def _lock(document: Entry) -> Lock:
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
    said = {key: entry[key] for key in SAID}
    for key in ("prompts", "resources", "templates"):
        here = f"{where}, section {key}"
        said[key] = tuple(_object(each, here) for each in _list(entry[key], here))
    _texts({key: said[key] for key in ("instructions", "title", "version")}, where)
    return ServerContract(name, contracts, **said)


def _tool(server: str, name: str, entry: Any) -> ToolContract:
    where = f"server {server}, tool {name}"
    _object(entry, where, _OF_TOOL)
    wire, tokens = _object(entry["definition"], where), entry["tokens"]
    if wire.get("name") != name or entry["digest"] != digest_of(wire) or entry["seal"] != tool_seal(entry):
        raise _edited(where)
    if type(tokens) is not int:
        raise _edited(where, "its tokens are no number")
    try:
        Tool.from_wire(server, wire)
    except MalformedTool as error:
        raise _edited(where, str(error)) from None
    contract = ToolContract(server, name, wire, tokens, _economics(entry["economics"], where))
    vars(contract)["digest"] = entry["digest"]  # just verified: 20,000 tools would take a second again
    return contract


def _economics(entry: Any, where: str) -> Economics:
    shape = {key: type(value) for key, value in Economics().as_json().items()}
    _object(entry, where, frozenset(shape))
    if {key: type(value) for key, value in entry.items()} != shape:
        raise _edited(where, "its economics are of another type")
    return Economics(**entry)


def _acceptance(entry: Any) -> Acceptance:
    where = "the section accepted"
    known = _object(entry, where)
    said = dict(_object(entry, where, _OF_ACCEPTED | (_SINCE_VERSION_2 & known.keys())))
    findings = _list(said.pop("findings", []), where)
    _texts(dict(enumerate(findings)), where)
    return Acceptance(**_texts(said, where), findings=tuple(findings))


def _budgets(entry: Any) -> Budgets:
    try:
        return Budgets.from_json(entry)
    except ValueError as error:
        raise _edited("the section budgets", str(error)) from None


def _check_sections(given: Any, right: Mapping[str, str], prefix: str) -> None:
    for name, digest in right.items():
        if not isinstance(given, Mapping) or given.get(name) != digest:
            raise _edited(f"{prefix}{name}")
    _object(given, f"{prefix}sections", frozenset(right))


def _object(value: Any, where: str, keys: frozenset[str] | None = None) -> Entry:
    """An object, with just these keys where they are known."""
    if not isinstance(value, Mapping):
        raise _edited(where, "it is no object")
    found = set(value) if keys is not None else frozenset()
    for key in sorted(found ^ (keys or frozenset())):
        raise _edited(where, f"the key {key!r} is {'not known' if key in found else 'missing'}")
    return value


def _list(value: Any, where: str) -> list[Any]:
    if not isinstance(value, list):
        raise _edited(where, "it is no list")
    return value


def _texts(value: Any, where: str, keys: frozenset[str] | None = None) -> Entry:
    for key, each in _object(value, where, keys).items():
        if not isinstance(each, str):
            raise _edited(where, f"{key} is no text")
    return value  # type: ignore[no-any-return]
