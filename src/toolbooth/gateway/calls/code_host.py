"""What code in the sandbox may do: call tools, search, and read results.

Each call takes the same steps as any other and has a row of its own. Code gets the whole result as data.
"""

import re
from collections import Counter
from collections.abc import Mapping
from itertools import groupby
from typing import Any, Final

import anyio
import anyio.to_thread

from toolbooth import catalog, errors, limits, safetext, search
from toolbooth.gateway import agent_texts, tool_registry
from toolbooth.gateway.builtin_tools.call_tools import read_request
from toolbooth.gateway.calls import pipeline
from toolbooth.gateway.calls.context import CallContext
from toolbooth.gateway.calls.tool_result import ToolResult
from toolbooth.gateway.offload import offload
from toolbooth.gateway.results import read
from toolbooth.gateway.results.by_path import value_at
from toolbooth.gateway.results.payload import payload
from toolbooth.gateway.session import Refusal
from toolbooth.sandbox import (
    CodeResult,
    CodeScope,
    HostFunctionStub,
    Namespace,
    identifier,
    looks_like_a_call,
    simple_call,
    value_shape,
)

_WRAPPED: Final = "x-fastmcp-wrap-result"  # servers of that kind wrap values that are not objects in one
_SCALARS: Final = {"true": True, "false": False, "null": None}


def as_data(tool: catalog.Tool, result: ToolResult) -> Any:
    """The whole result as data: nothing is cut for code."""
    structured = result.structured
    if structured is not None:
        wrapped = isinstance(structured, dict) and structured.keys() == {"result"} and _wraps(tool)
        return structured["result"] if wrapped else structured
    texts = result.texts()
    values = list(map(_value, texts))
    if len(values) == 1:
        return values[0]
    if values and all(isinstance(each, dict | list) for each in values):
        return values
    return "\n".join(texts)


def _wraps(tool: catalog.Tool) -> bool:
    return bool((tool.output_schema or {}).get(_WRAPPED))


def _value(text: str) -> Any:
    """A number is read as one only if it is written the same again: 1.10 may be a version."""
    if text in _SCALARS:
        return _SCALARS[text]
    if text[:1] not in '{["-0123456789' and text.lstrip()[:1] not in ("{", "["):
        return text
    try:
        value = catalog.decode(text.encode())
    except (catalog.NotJson, UnicodeEncodeError):
        return text
    if isinstance(value, int | float):
        return value if str(value) == text else text
    return value


_NAMED: Final = re.compile(r"(?<![\w-])[\w-]++\.[\w-]++")
_MOST: Final = 3  # lines


def with_held_back(
    fault: errors.CodeFault, code: str, registry: tool_registry.ToolRegistry
) -> errors.CodeFault:
    """In the sandbox such a tool does not exist; the author of the code should know why."""
    lines = [*_absent_lines(code, registry), *_held_lines(code, registry)]
    if not lines:
        return fault
    explained = type(fault)("\n".join([*lines, str(fault)]))
    explained.printed = fault.printed
    return explained


def _absent_lines(code: str, registry: tool_registry.ToolRegistry) -> list[str]:
    """Servers that the code names and that cannot be used. A variable may have that name, so nothing is refused."""
    named = [each for each in registry.absent if f"{each}." in code or f"{identifier(each)}." in code]
    return [agent_texts.absent_server(registry.why_absent(server)) for server in named[:_MOST]]


def _held_lines(code: str, registry: tool_registry.ToolRegistry) -> list[str]:
    held = registry.held()
    if not held:
        return []
    servers = (
        catalog.ServerTools(server, tuple(tools)) for server, tools in groupby(held, lambda tool: tool.server)
    )
    names = Namespace(catalog.Catalog(tuple(servers)))
    written = dict.fromkeys(_NAMED.findall(code))
    named = {tool.id: tool for name in written if (tool := names.by_id(name)) is not None}
    return [one.why for tool_id in list(named)[:_MOST] if (one := registry.held_back(tool_id)) is not None]


_SEARCH: Final = "async def search_tools(query: str, limit: int = 8, server: str | None = None) -> Any: ..."
_READ: Final = (
    "async def read_result(ref: str, path: str | None = None, query: str | None = None, "
    "start: int = 1, lines: int | None = None) -> Any: ..."
)
_BEFORE_A_DOT: Final = re.compile(  # names are matched from their beginning only, so no text is scanned twice
    r"(?<![\w-])([\w-]++)\.(?=[\w-])"
)
# What code finds with them may belong to any server
_CHOOSING: Final = re.compile(r"\b(?:tools|search_tools)\b")
_ASKS: Final = "asks its user something, which it cannot do while code runs; call it by itself"


class CodeHost:
    """What one run of code may do, as part of the call that brought it.

    `made` counts the calls that reached a server; `shapes` holds the shape of the first result of each tool.
    """

    def __init__(self, outer: CallContext) -> None:
        self._outer, self._view, self._gateway = outer, outer.view, outer.gateway
        self._session = outer.caller.session
        self._params = {"_meta": outer.params["_meta"]} if "_meta" in outer.params else {}
        self.made: Counter[str] = Counter()
        self.shapes: dict[str, str] = {}
        self._done = 0

    async def run(self, code: str, seconds: float | None = None) -> CodeResult:
        """The value of the code; raises a CodeFault. A single plain call is made without the sandbox.

        `seconds`, if given, is lower than the limit of the config.
        """
        gateway = self._gateway
        await self._learn(code)
        names = self._view.scope.names_in_code()
        plain = simple_call(code)
        tool = None if plain is None else names.by_id(plain.name)
        if plain is not None and (tool is not None or code.lstrip().startswith("{")):
            return await self._one(tool or self._find(plain.name), plain.arguments, seconds)
        if looks_like_a_call(code):
            raise errors.CodeMistake(
                'one call is written {"tool": "server.tool", "arguments": {…}}; several are code'
            )
        scope = CodeScope(names, self.call, self._functions())
        settings = gateway.settings
        try:
            async with gateway.code.turn(self._session.id, self._outer.depth, seconds) as sandbox:
                return await sandbox.run(
                    code, scope, seconds=seconds or settings.code_timeout, calls=settings.code_calls
                )
        except errors.CodeFault as fault:
            raise await offload(
                len(code), with_held_back, fault, code, self._view.registry, quick=limits.ONE_LINE
            ) from None

    async def _learn(self, code: str) -> None:
        """Wait for servers that the code names and of which nothing is known yet; otherwise a moment for all."""
        gateway, session = self._gateway, self._session
        before_dots, chooses = await offload(len(code), _names_in, code, quick=limits.ONE_LINE)
        named = [server for server in self._view.upstreams if {server, identifier(server)} & before_dots]
        if not named or chooses:
            await gateway.ready(session)
        for server in named:
            try:
                await gateway.learn(server, session)
            except errors.BackendFault as fault:
                reason = safetext.fault_for_terminal(fault.message).rstrip(".")
                advice = "Continue without it, or tell the user"
                raise errors.CodeMistake(
                    f"Nothing was run: {server} is not up ({reason}). {advice}."
                ) from None

    def _find(self, name: str) -> catalog.Tool:
        found = self._view.registry.find(name)
        if isinstance(found, catalog.Tool):
            return found
        raise errors.CodeMistake(agent_texts.not_found(found))

    async def _one(self, tool: catalog.Tool, arguments: dict[str, Any], seconds: float | None) -> CodeResult:
        """Call one tool as code would: an exception of the tool ends the run."""
        try:
            with anyio.move_on_after(seconds):
                return CodeResult(await self.call(tool, arguments), "")
            raise errors.CodeFailed(f"the call took longer than {seconds:g} s")
        except TypeError as error:
            raise errors.CodeMistake(str(error)) from None
        except (RuntimeError, TimeoutError) as error:
            raise errors.CodeFailed(str(error)) from None

    # -- calls of tools ------------------------------------------------------------------------------------
    async def call(self, tool: catalog.Tool, arguments: dict[str, Any]) -> Any:
        """One call, as any other; errors are raised as exceptions that code can catch."""
        call = self._outer.in_code(self._params)
        call.named(tool, arguments)
        record = call.record
        try:
            result = await pipeline.call_tool(call)
            await offload(result.unread, result.prepare)  # it may be cancelled, too
        except errors.BackendFault as fault:
            if not isinstance(fault, errors.ToolHeldBack):
                self._made(tool)
            call.failed(fault)
            pipeline.close(call)
            kind = TimeoutError if isinstance(fault, errors.BackendTimeout) else RuntimeError
            raise kind(agent_texts.upstream_failed(fault)) from None
        except Refusal as refusal:
            record.failed(refusal)
            pipeline.close(call)
            raise RuntimeError(safetext.for_terminal(str(refusal))) from None
        except BaseException as error:
            self._made(tool)
            record.failed(error)
            pipeline.close(call)
            raise
        return await self._taken(call, result)

    async def _taken(self, call: CallContext, result: ToolResult) -> Any:
        """The result as data; its row is closed, and the client gets nothing of it."""
        tool = call.tool
        refused = call.record.outcome == "bad_arguments"
        if not refused:
            self._made(tool)
        pipeline.close(call, result, sent=False)
        if result.asked is not None:
            self._gateway.suspended_calls.forget(str(result.asked.get("requestState")))
            raise RuntimeError(f"{tool.server} {_ASKS}")
        if result.is_error:
            said = _clean("\n".join(await offload(result.size, result.texts)))
            raise TypeError(said) if refused else RuntimeError(said or f"{tool.id} failed")
        self._send_progress(tool)
        return await offload(result.size, self._data, tool, result)

    def _data(self, tool: catalog.Tool, result: ToolResult) -> Any:
        data = as_data(tool, result)
        if tool.id not in self.shapes:
            self.shapes[tool.id] = value_shape(data)
        return data

    def _made(self, tool: catalog.Tool) -> None:
        self.made[tool.id] += 1

    def _send_progress(self, tool: catalog.Tool) -> None:
        """Notify a client that wants progress of each call that is done."""
        self._done += 1
        caller = self._outer.caller
        token = caller.progress_token
        if token is not None:
            progress = {
                "progressToken": token,
                "progress": self._done,
                "message": safetext.for_terminal(tool.id),
            }
            caller.channel.notify("notifications/progress", progress)

    # -- built-in functions -------------------------------------------------------------------------------
    def _functions(self) -> Mapping[str, HostFunctionStub]:
        return {
            "search_tools": HostFunctionStub(_SEARCH, self._search_tools),
            "read_result": HostFunctionStub(_READ, self._read_result),
        }

    async def _search_tools(self, query: str, limit: int = 8, server: str | None = None) -> Any:
        """Hits as data, for the code to choose from."""
        registry = self._view.registry
        await registry.warm()
        most = min(max(int(limit), 1), limits.MAX_HITS)
        found = await anyio.to_thread.run_sync(registry.search, str(query), most, server)
        return [
            {
                "name": hit.tool.id,
                "signature": search.signature(hit.tool),
                "purpose": search.one_line(hit.tool.description),
            }
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
        """The whole of a kept result, or the value at its path, as data; with a query or lines, its text."""
        given = {"ref": ref, "path": path, "query": query, "start": start, "lines": lines}
        try:
            return await anyio.to_thread.run_sync(self._kept, given)
        except errors.WrongArguments as mistake:
            raise ValueError(str(mistake)) from None

    def _kept(self, given: Mapping[str, Any]) -> Any:
        store, owner = self._gateway.results, self._session.owner
        request = read_request(given, limits.MAX_ANSWER_TEXT)
        if request.query or request.lines or request.start > 1:
            return read(store, owner, request)
        text = store.get(request.ref, owner).text
        if request.path:
            return value_at(text, request.path)
        found = payload(text)
        return found.value if found.has_value else text


def _names_in(code: str) -> tuple[frozenset[str], bool]:
    """The names before dots, and whether tools are chosen while the code runs."""
    return frozenset(_BEFORE_A_DOT.findall(code)), _CHOOSING.search(code) is not None


def _clean(text: str) -> str:
    """Cleaned line by line, and not longer than anybody reads."""
    return "\n".join(
        safetext.for_terminal(line, limits.CODE_ERROR) for line in text[: limits.CODE_ERROR].splitlines()
    )
