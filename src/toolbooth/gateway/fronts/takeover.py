"""What a daemon left behind when it ended → answers for its client, from the daemon that takes over."""

import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import orjson

from toolbooth.catalog import Tool
from toolbooth.gateway.account import KINDS, Account
from toolbooth.gateway.fronts.pipe import Pipe
from toolbooth.gateway.fronts.talk import Id, Talk
from toolbooth.gateway.gateway import Gateway

if TYPE_CHECKING:
    from toolbooth.gateway.daemon.notebook import Notebook

RESUMED = "toolbooth-resumed"
"""The id of the handshake that we repeat ourselves; its answer is nobody's."""
_HANDSHAKE = "\x1ainitialize"  # in place of a tool's name, which holds no such character
_LOST = -32000
_INTERRUPTED = (
    "the gateway's daemon ended during this call, and a new one has taken over; the call may or may not have been "
    "carried out"
)
_ENDED = "the gateway ended during this request; it may or may not have been carried out"
_CUT = "the gateway's daemon ended while it read this message; send it again"
_ID = re.compile(rb'"id"\s*:\s*(\d{1,18}\b|"[^"\\]{1,200}")')


def handshake_again(notebook: "Notebook", pipe: Pipe) -> list[dict[str, Any]]:
    """The messages that introduce the client once more, before anything that it sent since."""
    if notebook.was_reading:
        pipe.skip_line()
    params = notebook.recall("initialize")
    if params is None:
        return []
    for number in notebook.interrupted():
        if notebook.interrupted_tool(number) == _HANDSHAKE:  # it still waits for its answer, and gets it now
            return [{"jsonrpc": "2.0", "id": number, "method": "initialize", "params": params}]
    return [
        {"jsonrpc": "2.0", "id": RESUMED, "method": "initialize", "params": params},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
    ]


def answer_what_was_left(notebook: "Notebook", talk: Talk, gateway: Gateway) -> None:
    """What was begun, half written or half read is answered, for it may have been carried out; calls have rows."""
    if notebook.was_writing:
        talk.end_line()
    for number in notebook.interrupted():
        tool = notebook.interrupted_tool(number)
        if tool != _HANDSHAKE or notebook.recall("initialize") is None:
            talk.refuse(number, _LOST, _INTERRUPTED)
            _enter(gateway, notebook, tool)
    if notebook.was_reading:
        talk.refuse(_id_in(notebook.was_reading), _LOST, _CUT)


def refuse_what_is_open(numbers: Iterable[Id], talk: Talk) -> None:
    """Nobody takes over: whoever still waits is told so."""
    for number in numbers:
        talk.refuse(number, _LOST, _ENDED)


def noted(message: Mapping[str, Any]) -> str:
    """What is noted of a request beside its id: the tool that it calls, or that it is the handshake."""
    params = message.get("params")
    if message["method"] == "tools/call" and isinstance(params, dict):
        return called_tool(params)
    return _HANDSHAKE if message["method"] == "initialize" else ""


def called_tool(params: Mapping[str, Any]) -> str:
    """The name by which a call names its tool, through our `call_tool` or by itself."""
    name, given = params.get("name"), params.get("arguments")
    if name == "call_tool" and isinstance(given, dict):
        name = given.get("name", name)
    return name if isinstance(name, str) else ""


def _enter(gateway: Gateway, notebook: "Notebook", name: str) -> None:
    """How long the call took, nobody knows any more."""
    if not name or name == _HANDSHAKE:
        return
    session = (notebook.recall("session") or {}).get("id", "")
    account = Account(gateway.ledger, str(session))
    tool = gateway.book.find(name)
    if isinstance(tool, Tool):
        account.named(tool.server, tool.name)
    elif name in KINDS:
        account.own(name)
    account.outcome, account.ms = "daemon_ended", 0.0
    account.close(None)


def _id_in(head: bytes) -> Id | None:
    """The id in the beginning of a request, where it can be told."""
    match = _ID.search(head)
    number: Id | None = orjson.loads(match[1]) if match else None
    return number
