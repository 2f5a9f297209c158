"""`call_tool_chain`: what a model wrote → the code it means; the gateway runs it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import ceil
from textwrap import dedent
from typing import Any, Final

from toolbooth.catalog import canonical
from toolbooth.errors import WrongArguments
from toolbooth.gateway.jobs.arguments import Arguments
from toolbooth.gateway.jobs.call_tool import read_reduce
from toolbooth.gateway.jobs.job import TEXT, Job

NAME: Final = "call_tool_chain"
_PARAMETERS: Final = {"code": TEXT, "intent": TEXT}
# `timeout` and `max_output_size` are what other tools of this kind take: models know them.
_ALSO: Final = ("reduce", "timeout", "max_output_size", "tool", "name", "arguments")
_KNOWN: Final = (*_PARAMETERS, *_ALSO[:3])
_FENCE: Final = re.compile(r"\s*```(?:py|python|python3|json)?[ \t]*\r?\n(.*?)\r?\n?```\s*", re.DOTALL)
_CALL: Final = {"tool", "name", "arguments"}


@dataclass(frozen=True)
class Chain:
    """Code to be run; `intent`, `reduce` and `max_output_size` (characters) are for cutting what it comes to.

    `timeout` is in seconds, as everywhere here; what is allowed at most is the gateway's to say.
    """

    code: str
    intent: str = ""
    reduce: bool | Mapping[str, Any] | None = field(default=None, hash=False)
    timeout: float | None = None
    max_output_size: int | None = None


def read_chain(given: Mapping[str, Any]) -> Chain:
    """One call may stand in place of the code, as an object or beside it: some models write it so."""
    arguments = Arguments(NAME, given, _KNOWN)
    code = given.get("code")
    if code is not None and (_CALL & given.keys()):
        raise WrongArguments(f"{NAME} takes `code`, or one call as `tool` and `arguments`, not both")
    if code is None and ({"tool", "name"} & given.keys()):
        code = {key: value for key, value in given.items() if key in _CALL}
    if isinstance(code, Mapping):
        code = canonical(code)
    code = _unfenced(code) if isinstance(code, str) else code
    if not isinstance(code, str) or not code.strip():
        raise WrongArguments(f'{NAME} needs `code`, as in {NAME}(code="await server.tool(argument=1)")')
    size = arguments.positive("max_output_size")
    return Chain(
        code,
        arguments.optional_text("intent") or "",
        read_reduce(given.get("reduce"), arguments),
        arguments.positive("timeout"),
        None if size is None else ceil(size),
    )


def _unfenced(code: str) -> str:
    """Without the marks that Markdown puts around code, without a mark of the byte order, and not indented."""
    text = code.removeprefix("\ufeff")
    fenced = _FENCE.fullmatch(text)
    return dedent(fenced[1] if fenced is not None else text)


JOB: Final = Job(
    NAME,
    "Run Python that calls tools: `await server.tool(arg=…)` gives data, asyncio.gather many at once. "
    "Loop, filter and join there; you see only prints and the last expression.",
    _PARAMETERS,
    ("code",),
    read_only=False,
    also=_ALSO,
)
