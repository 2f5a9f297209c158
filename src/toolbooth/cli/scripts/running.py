"""`toolbooth scripts run`: a saved script, run with arguments on the configured servers."""

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from toolbooth.catalog import NotJson, decode
from toolbooth.errors import CodeFailed, UserMistake
from toolbooth.gateway.in_process_client import ToolAnswer, in_process_client
from toolbooth.safetext import for_terminal

if TYPE_CHECKING:
    from toolbooth.sandbox.scripts import Script


_LINE = 10_000  # characters of one line of an answer
_EXAMPLE = """as in `toolbooth scripts run open_issues '{"label": "bug"}'`"""


def run_script(script: "Script", given: str | None, configs: Sequence[str], *, as_json: bool) -> int:
    """Run it as an agent would, in a gateway of this process, and print all of its answer."""
    from toolbooth.gateway.process import run

    arguments = _arguments(given)
    _check(script, arguments)
    answer = run(_answer, script.source(arguments), tuple(configs))
    if answer.is_error:
        raise CodeFailed(_clean(answer.text))
    print(json.dumps(_as_json(script, answer)) if as_json else _clean(answer.text))  # noqa: T201
    return 0


def _arguments(given: str | None) -> dict[str, Any]:
    try:
        value = decode((given or "{}").encode())
    except (NotJson, UnicodeEncodeError) as error:
        raise UserMistake(f"the arguments are not JSON ({error}); write them {_EXAMPLE}") from None
    if not isinstance(value, dict):
        raise UserMistake(f"the arguments must be an object, {_EXAMPLE}")
    return value


def _check(script: "Script", arguments: dict[str, Any]) -> None:
    """As the gateway does before it calls a tool."""
    import jsonschema_rs

    wrong = next(iter(jsonschema_rs.validator_for(script.input_schema).iter_errors(arguments)), None)
    if wrong is not None:
        place = ".".join(map(str, wrong.instance_path))
        said = for_terminal(f"{place}: {wrong.message}" if place else wrong.message)
        raise UserMistake(f"wrong arguments for {script.name}: {said}; write them {_EXAMPLE}")


async def _answer(code: str, configs: tuple[str, ...]) -> ToolAnswer:
    from toolbooth.gateway.runtime import GatewayRequest, open_runtime

    environ = dict(os.environ)
    async with open_runtime(environ) as runtime:
        request = GatewayRequest(configs, "code", Path.cwd(), environ)
        async with in_process_client(runtime, request) as client:
            return await client.call("call_tool_chain", {"code": code, "reduce": False})


def _as_json(script: "Script", answer: ToolAnswer) -> dict[str, Any]:
    """`printed` are all texts but the last, which is the value."""
    *printed, last = answer.texts
    try:
        value = decode(last.encode())
    except (NotJson, UnicodeEncodeError):
        value = last
    return {"script": script.name, "value": value, "printed": "\n".join(printed)}


def _clean(text: str) -> str:
    """Make text safe to print: servers contribute to it."""
    return "\n".join(for_terminal(line, _LINE) for line in text.splitlines())
