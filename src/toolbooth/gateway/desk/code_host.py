"""Code in the sandbox ↔ the gateway: each of its calls passes the desk as any other does, with a row of its own."""

import re
from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

import anyio
import anyio.to_thread

from toolbooth.catalog import Tool
from toolbooth.catalog.connect import RawResult
from toolbooth.errors import (
    BackendFault,
    BackendTimeout,
    CodeFailed,
    CodeFault,
    CodeMistake,
    ToolHeldBack,
    WrongArguments,
)
from toolbooth.gateway.account import Account
from toolbooth.gateway.aside import aside, size_of
from toolbooth.gateway.caller import Caller
from toolbooth.gateway.desk.as_data import as_data, text_of
from toolbooth.gateway.desk.calls import dispatch
from toolbooth.gateway.desk.eras import input_required
from toolbooth.gateway.desk.held_in_code import with_held_back
from toolbooth.gateway.desk.registry import Params, Result
from toolbooth.gateway.desk.shape import is_error
from toolbooth.gateway.jobs.read_result import read_wish
from toolbooth.gateway.refusal import Refusal
from toolbooth.gateway.results import read
from toolbooth.gateway.results.payload import payload
from toolbooth.gateway.results.reading.by_path import value_at
from toolbooth.gateway.texts import backend_failed, not_found
from toolbooth.gateway.view import View
from toolbooth.limits import CODE_ERROR, MAX_ANSWER_TEXT, MAX_HITS, ONE_LINE
from toolbooth.safetext import fault_for_terminal, for_terminal
from toolbooth.sandbox import OwnFunction, Ran, World, identifier, looks_like_a_call, simple_call, value_shape

_SEARCH: Final = "async def search_tools(query: str, limit: int = 8, server: str | None = None) -> Any: ..."
_READ: Final = (
    "async def read_result(ref: str, path: str | None = None, query: str | None = None, "
    "start: int = 1, lines: int | None = None) -> Any: ..."
)
_BEFORE_A_DOT: Final = re.compile(  # a name is taken from its beginning and at once: no text is walked twice
    r"(?<![\w-])([\w-]++)\.(?=[\w-])"
)
_CHOOSING: Final = re.compile(r"\b(?:tools|search_tools)\b")  # what code finds with them may be of any server
_ASKS: Final = "asks its user something, which it cannot do while code runs; call it by itself"


class CodeHost:
    """What one run of code may do, on behalf of one caller.

    `made` are the calls that reached a server, `shapes` what the first answer of each tool was made of.
    """

    def __init__(self, view: View, caller: Caller, params: Params) -> None:
        self._view, self._caller = view, caller
        self._params = {"_meta": params["_meta"]} if "_meta" in params else {}
        self.made: Counter[str] = Counter()
        self.shapes: dict[str, str] = {}
        self._done = 0

    async def run(self, code: str, seconds: float | None = None) -> Ran:
        """The value of the code; raises a CodeFault. One plain call is made without the sandbox.

        `seconds` of its own are fewer than those of the config.
        """
        gateway = self._view.gateway
        await self._learn(code)
        names = gateway.names_in_code()
        plain = simple_call(code)
        tool = None if plain is None else names.by_id(plain.name)
        if plain is not None and (tool is not None or code.lstrip().startswith("{")):
            return await self._one(tool or self._find(plain.name), plain.arguments, seconds)
        if looks_like_a_call(code):
            raise CodeMistake(
                'one call is written {"tool": "server.tool", "arguments": {…}}; several are code'
            )
        world = World(names, self.call, self._functions())
        settings = gateway.settings
        try:
            async with gateway.code.turn(self._caller.session.id, self._caller.depth, seconds) as sandbox:
                return await sandbox.run(
                    code, world, seconds=seconds or settings.code_timeout, calls=settings.code_calls
                )
        except CodeFault as fault:
            raise await aside(len(code), with_held_back, fault, code, gateway.book, quick=ONE_LINE) from None

    async def _learn(self, code: str) -> None:
        """Servers that the code names and of which nothing is known yet are waited for; else all, for a moment."""
        gateway, session = self._view.gateway, self._caller.session
        before_dots, chooses = await aside(len(code), _names_in, code, quick=ONE_LINE)
        named = [server for server in gateway.backends if {server, identifier(server)} & before_dots]
        if not named or chooses:
            await gateway.ready(session)
        for server in named:
            try:
                await gateway.learn(server, session)
            except BackendFault as fault:
                reason = fault_for_terminal(fault.message).rstrip(".")
                advice = "Do without it, or tell the user"
                raise CodeMistake(f"Nothing was run: {server} is not up ({reason}). {advice}.") from None

    def _find(self, name: str) -> Tool:
        found = self._view.gateway.book.find(name)
        if isinstance(found, Tool):
            return found
        raise CodeMistake(not_found(found))

    async def _one(self, tool: Tool, arguments: dict[str, Any], seconds: float | None) -> Ran:
        """The same as in code: what the tool raises there ends the run."""
        try:
            with anyio.move_on_after(seconds):
                return Ran(await self.call(tool, arguments), "")
            raise CodeFailed(f"the call took longer than {seconds:g} s")
        except TypeError as error:
            raise CodeMistake(str(error)) from None
        except (RuntimeError, TimeoutError) as error:
            raise CodeFailed(str(error)) from None

    # -- calls of tools ------------------------------------------------------------------------------------
    async def call(self, tool: Tool, arguments: dict[str, Any]) -> Any:
        """One call, as any other; what goes wrong is raised as an exception that code can catch."""
        view, outer = self._view, self._caller
        account = Account(view.gateway.ledger, outer.session.id, in_code=True)
        caller = Caller(
            outer.session,
            outer.face,
            outer.reach,
            log_level=outer.log_level,
            account=account,
            report=outer.report,
            depth=outer.depth + 1,
        )
        try:
            result = await dispatch(view, caller, tool, arguments, self._params)
        except BackendFault as fault:
            if not isinstance(fault, ToolHeldBack):
                self._made(tool)
            caller.failed(fault)
            account.close(None)
            kind = TimeoutError if isinstance(fault, BackendTimeout) else RuntimeError
            raise kind(backend_failed(fault)) from None
        except Refusal as refusal:
            account.failed(refusal)
            account.close(None)
            raise RuntimeError(for_terminal(str(refusal))) from None
        except BaseException as error:
            self._made(tool)
            account.failed(error)
            account.close(None)
            raise
        return await self._taken(tool, account, result)

    async def _taken(self, tool: Tool, account: Account, result: Result) -> Any:
        """The answer as data; its row is closed, and no client got anything of it."""
        refused = account.outcome == "bad_arguments"
        if not refused:
            self._made(tool)
        size = size_of(result)
        self._forget_question(account, await aside(size, input_required, result))
        failed = await aside(size, is_error, result)
        account.close(None, error=failed)
        if account.outcome == "input_required":
            raise RuntimeError(f"{tool.server} {_ASKS}")
        if failed:
            said = _clean(text_of(_read(result)))
            raise TypeError(said) if refused else RuntimeError(said or f"{tool.id} failed")
        self._tell_progress(tool)
        data = await aside(size, _data, tool, result)
        if tool.id not in self.shapes:
            self.shapes[tool.id] = value_shape(data)
        return data

    def _forget_question(self, account: Account, asked: Mapping[str, Any] | None) -> None:
        if asked is not None:
            account.asks()
            self._view.gateway.parking.forget(str(asked.get("requestState")))

    def _made(self, tool: Tool) -> None:
        self.made[tool.id] += 1

    def _tell_progress(self, tool: Tool) -> None:
        """A client that wants to know hears of each call that is done."""
        self._done += 1
        token = self._caller.progress_token
        if token is not None:
            told = {"progressToken": token, "progress": self._done, "message": for_terminal(tool.id)}
            self._caller.reach.notify("notifications/progress", told)

    # -- functions of ours ---------------------------------------------------------------------------------
    def _functions(self) -> Mapping[str, OwnFunction]:
        return {
            "search_tools": OwnFunction(_SEARCH, self._search_tools),
            "read_result": OwnFunction(_READ, self._read_result),
        }

    async def _search_tools(self, query: str, limit: int = 8, server: str | None = None) -> Any:
        """Hits as data, to be chosen from by the code."""
        from toolbooth.search import one_line, signature

        book = self._view.gateway.book
        await book.warm()
        most = min(max(int(limit), 1), MAX_HITS)
        found = await anyio.to_thread.run_sync(book.search, str(query), most, server)
        return [
            {"name": hit.tool.id, "signature": signature(hit.tool), "purpose": one_line(hit.tool.description)}
            for hit in found.hits
        ]

    async def _read_result(
        self,
        ref: str,
        path: str | None = None,
        query: str | None = None,
        start: int = 1,
        lines: int | None = None,
    ) -> Any:
        """The whole of a kept result, or what its path leads to, as data; by words or lines, the text of it."""
        given = {"ref": ref, "path": path, "query": query, "start": start, "lines": lines}
        try:
            return await anyio.to_thread.run_sync(self._kept, given)
        except WrongArguments as mistake:
            raise ValueError(str(mistake)) from None

    def _kept(self, given: Mapping[str, Any]) -> Any:
        store, session = self._view.gateway.results, self._caller.session.id
        wish = read_wish(given, MAX_ANSWER_TEXT)
        if wish.query or wish.lines or wish.start > 1:
            return read(store, session, wish)
        text = store.get(wish.ref, session).text
        if wish.path:
            return value_at(text, wish.path)
        found = payload(text)
        return found.value if found.has_value else text


def _names_in(code: str) -> tuple[frozenset[str], bool]:
    """What stands before dots, and whether tools are chosen while the code runs."""
    return frozenset(_BEFORE_A_DOT.findall(code)), _CHOOSING.search(code) is not None


def _data(tool: Tool, result: Result) -> Any:
    return as_data(tool, _read(result))


def _clean(text: str) -> str:
    """Line by line, and not longer than anybody reads."""
    return "\n".join(for_terminal(line, CODE_ERROR) for line in text[:CODE_ERROR].splitlines())


def _read(result: Result) -> Mapping[str, Any]:
    return result.value if isinstance(result, RawResult) else result
