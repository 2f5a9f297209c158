"""The answer to code of a model, or to a saved script: what was printed, the value, and where and why it failed."""

import json
import re
from collections import Counter
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from toolbooth import errors, limits, safetext, sandbox
from toolbooth.gateway.builtin_tools import RequestedCall, RequestedCode
from toolbooth.gateway.calls import code_host, reduce_step
from toolbooth.gateway.calls.context import CallContext
from toolbooth.gateway.calls.tool_result import ToolResult, rough_size
from toolbooth.gateway.offload import offload
from toolbooth.gateway.reduce import ReduceOptions

_OWN: Final = "toolbooth.call_tool_chain"  # the name that a pattern of `tools:` may match
_NO_VALUE: Final = "The code ran. Its last line has no value: end with an expression, or print."
_MISTAKEN: Final = re.compile(r"(?:KeyError|TypeError|IndexError|AttributeError)\b")
_SHAPES: Final = 8  # tools whose results are described
_PRINTED: Final = 4_000  # characters of what was printed before an error; the end is the most useful part


async def run_chain(call: CallContext, chain: RequestedCode) -> ToolResult:
    """Run a chain and reduce its answer; the code itself got every result in full."""
    host = code_host.CodeHost(call)
    reduction = call.gateway.reduction(_OWN)
    bounds = bounds_of(chain, call.gateway.settings.code_timeout, reduction.cap)
    try:
        code_result = await host.run(chain.code, bounds.seconds)
    except errors.CodeFault as fault:
        call.failed(fault)
        return call.said(fault_text(fault, host.made, host.shapes), error=True).with_lines(bounds.notes)
    options = reduce_step.reduce_options(
        call, reduction, RequestedCall("", intent=chain.intent, reduce=bounds.reduce)
    )
    return await offload(_size(code_result), _cut, call, options, code_result, bounds.notes)


def _cut(
    call: CallContext, options: ReduceOptions, code_result: sandbox.CodeResult, notes: tuple[str, ...]
) -> ToolResult:
    answer = shown(code_result).for_version(call.modern)
    call.record.returned(answer.given)
    if sum(map(len, answer.texts())) >= options.settings.over:
        answer = reduce_step.reduced(call, options, answer)
    return answer.with_lines(notes).prepare()


class RunBounds(NamedTuple):
    """What a call asked for, within what the config allows; `notes` says what was not granted."""

    seconds: float | None
    reduce: bool | Mapping[str, Any] | None
    notes: tuple[str, ...] = ()


def bounds_of(chain: RequestedCode, most_seconds: float, cap: int | None) -> RunBounds:
    """`timeout` up to `gateway: {code_timeout}`, `max_output_size` up to the limit of our own answers."""
    notes = []
    seconds, size, reduce = chain.timeout, chain.max_output_size, chain.reduce
    if seconds is not None and seconds > most_seconds:
        notes.append(
            f"note: timeout {seconds:g} s was lowered to {most_seconds:g} s, the most that is allowed"
        )
        seconds = most_seconds
    if size is not None:
        granted = min(max(size, limits.LEAST_OUTPUT), cap or limits.MAX_ANSWER_TEXT)
        if granted != size:
            bound = "most that is allowed here" if size > granted else "least"
            notes.append(f"note: max_output_size {size} was changed to {granted}, the {bound}")
        asked = reduce if isinstance(reduce, Mapping) else {}
        reduce = {**asked, "max_bytes": granted, "over": min(granted, asked.get("over", granted))}
    return RunBounds(seconds, reduce, tuple(notes))


async def run_script(call: CallContext, script: sandbox.Script) -> ToolResult:
    """A saved script as a tool: it has its own answer, and its own calls."""
    if call.depth > limits.SCRIPT_DEPTH:
        text = f"scripts call scripts more than {limits.SCRIPT_DEPTH} deep; {script.name} was not run"
        return call.said(text, error=True)
    host = code_host.CodeHost(call)
    try:
        code_result = await host.run(script.source(dict(call.arguments)))
    except (errors.CodeFault, errors.UserMistake) as fault:
        call.failed(fault)
        words = (
            fault_text(fault, host.made, host.shapes) if isinstance(fault, errors.CodeFault) else str(fault)
        )
        return call.said(f"the script {script.name}: {words}", error=True)
    answer = await offload(_size(code_result), shown, code_result)
    call.record.returned(answer.given)
    return answer


def shown(code_result: sandbox.CodeResult) -> ToolResult:
    """What was printed, then the value: text as it is, anything else as JSON. Nothing is sent twice."""
    texts = [code_result.printed.rstrip("\n")] if code_result.printed.strip() else []
    if code_result.value is not None:
        texts.append(code_result.value if isinstance(code_result.value, str) else _json(code_result.value))
    return ToolResult({"content": [{"type": "text", "text": text} for text in texts or [_NO_VALUE]]})


def fault_text(fault: errors.CodeFault, made: Counter[str], shapes: Mapping[str, str]) -> str:
    """What went wrong, what was printed before, and which calls have already taken effect.

    Code that misread a result is also shown the shape of the results.
    """
    lines = [str(fault)]
    if _MISTAKEN.search(lines[0]):
        lines += [f"{safetext.for_terminal(name)} gave {shape}" for name, shape in shapes.items() if shape][
            :_SHAPES
        ]
    if fault.printed.strip():
        lines += ["printed before:", fault.printed.rstrip("\n")[-_PRINTED:]]
    if made:
        calls = (
            f"{safetext.for_terminal(name)}{f' ×{times}' if times > 1 else ''}"
            for name, times in made.items()
        )
        lines.append(f"calls made before: {', '.join(calls)}")
    return "\n".join(lines)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _size(code_result: sandbox.CodeResult) -> int:
    return len(code_result.printed) + rough_size(code_result.value)
