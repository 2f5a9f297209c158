"""One call of a tool: who makes it, of what, and its record.

A `Caller` is one request of a client; one request may make many calls, because code calls tools. How far a call has
come is not in the context: it is passed from step to step (`pipeline.py`).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final

from toolbooth import access, catalog, store
from toolbooth.gateway import methods, session
from toolbooth.gateway.builtin_tools import RequestedCall
from toolbooth.gateway.calls.record import SOME_TOOL, CallRecord, CallReport, new_record, wants_report
from toolbooth.gateway.calls.tool_result import ToolResult
from toolbooth.gateway.gateway import Gateway
from toolbooth.gateway.surfaces.view import View

_NOT_NAMED: Final = catalog.Tool(store.BUILTIN_SERVER, SOME_TOOL)
_NOTHING: Final[Mapping[str, Any]] = {}


@dataclass(eq=False, slots=True)
class CallContext:
    """`tool` and `arguments` are known once the call is `named`.

    `menu_name` is the tool's name in the menu, if it is there itself; `asked` is what the call asked to be shown of the
    result, or None if code gets the whole of it.
    """

    view: View
    caller: session.Caller
    params: methods.Params
    record: CallRecord
    report: CallReport | None = None
    depth: int = 0  # how many levels of code this call was made from
    tool: catalog.Tool = _NOT_NAMED
    arguments: Mapping[str, Any] = field(default_factory=dict)
    menu_name: str = ""
    asked: RequestedCall | None = None

    @classmethod
    def of_request(cls, view: View, caller: session.Caller, params: methods.Params) -> "CallContext":
        """The context of a `tools/call`, before its tool is looked up."""
        record = new_record(view.gateway, caller)
        report = CallReport() if wants_report(params) else None
        return cls(view, caller, params, record, report, arguments=_NOTHING)

    def in_code(self, params: methods.Params) -> "CallContext":
        """The context of a call that code makes. It reports to the same client, and progress is the code's own."""
        outer = self.caller
        caller = session.Caller(
            outer.session, outer.client_identity, outer.channel, log_level=outer.log_level
        )
        record = new_record(self.gateway, outer, in_code=True)
        return CallContext(self.view, caller, params, record, self.report, self.depth + 1)

    def named(
        self,
        tool: catalog.Tool,
        arguments: Mapping[str, Any],
        *,
        menu_name: str = "",
        asked: RequestedCall | None = None,
    ) -> None:
        """Note which tool was found, and what it is called with."""
        self.tool, self.arguments, self.menu_name, self.asked = tool, arguments, menu_name, asked
        self.record.named(tool.server, tool.name)

    @property
    def gateway(self) -> Gateway:
        """The gateway that the call passes through."""
        return self.view.gateway

    @property
    def principal(self) -> access.Principal:
        """The principal that makes the call."""
        return self.caller.session.principal

    @property
    def modern(self) -> bool:
        """Whether the client's protocol version is 2026-07-28 or later."""
        return self.caller.session.modern

    def failed(self, error: BaseException) -> None:
        """The call has failed: note the error in its row and in its report."""
        self.record.failed(error)
        if self.report is not None:
            self.report.failed(error)

    def said(self, text: str, *, error: bool = False) -> ToolResult:
        """A text of our own as the answer."""
        return ToolResult.said(text, error=error).for_version(self.modern)


class CallStep:
    """A step that is added to every call of a server's tool, by `gateway.steps`.

    `before` runs when the call is checked and nothing is sent yet; `after` gets each result before it is reduced, in
    a thread if it is long. `ended` is called once for every call, of built-in tools too. `prepare` is for a step
    that `waits`, and makes every call take a task.
    """

    waits: ClassVar[bool] = False

    async def prepare(self, call: CallContext) -> None:
        """Get, before `before`, what cannot be had at once."""

    def before(self, call: CallContext) -> ToolResult | None:  # noqa: ARG002
        """None lets the call pass; a result replaces the server's. A Refusal or a BackendFault ends the call."""
        return None

    def after(self, call: CallContext, result: ToolResult) -> ToolResult:  # noqa: ARG002
        """The result to go on with."""
        return result

    def ended(self, call: CallContext) -> None:
        """The call has its row; `call.record` says how it ended, and how long its server took. Never raises."""
