"""Toolbooth traces: `{"tool_calls": [{name, server?, args?}]}`, a plain list of such calls, or a cassette."""

from collections.abc import Mapping
from typing import Any, Final

from toolbooth.suite.adapters.tool_names import KnownTools
from toolbooth.suite.adapters.trace_builder import (
    TraceBuilder,
    count_of,
    list_of,
    made_call,
    map_of,
    structured,
    text_of,
)
from toolbooth.suite.adapters.trace_file import adapter
from toolbooth.suite.trace import Ended, Exchange, Trace, Turn, Usage

CASSETTE: Final = "toolbooth-cassette"
_CALL_KEYS: Final = frozenset({"name", "server", "args", "arguments"})
_ENDS: Final[dict[str, Ended]] = {"max_turns": "max_turns", "error": "error", "refused": "refused"}


def _is_call(value: object) -> bool:
    return isinstance(value, Mapping) and "name" in value and _CALL_KEYS.issuperset(value)


def _is_run(value: Any) -> bool:
    if isinstance(value, list):
        return all(_is_call(item) for item in value)
    return _is_cassette(value) or (
        isinstance(value, Mapping) and isinstance(value.get("tool_calls"), list) and "role" not in value
    )


def _is_cassette(value: object) -> bool:
    return isinstance(value, Mapping) and value.get("format") == CASSETTE


@adapter("toolbooth", '{"tool_calls": [{name, server}]}, or a cassette', _is_run)
def read_toolbooth(run: Any, names: KnownTools) -> list[Trace]:
    """A cassette also has the real calls behind a surface; the plain formats are the calls themselves."""
    if _is_cassette(run):
        return [_cassette(run, names)]
    return [_plain({"tool_calls": run} if isinstance(run, list) else run, names)]


def _plain(run: Mapping[str, Any], names: KnownTools) -> Trace:
    builder = TraceBuilder()
    for entry in run["tool_calls"]:
        call = map_of(entry)
        arguments = call.get("arguments", call.get("args"))
        builder.use(
            "", text_of(call.get("name")), made_call(call.get("name"), call.get("server"), arguments, names)
        )
    answer = text_of(run.get("final_response"))
    if answer:
        builder.next_turn()
        builder.say(answer)
    return builder.trace(error=text_of(run.get("error")))


def _cassette(run: Mapping[str, Any], names: KnownTools) -> Trace:
    error = text_of(run.get("error"))
    ended: Ended = _ENDS.get(text_of(run.get("ended")), "error" if error else "done")
    turns = tuple(_turn(map_of(turn), names) for turn in list_of(run.get("turns")))
    return Trace(
        prompt=text_of(run.get("prompt")),
        model=text_of(run.get("model")),
        surface=text_of(run.get("surface")) or "direct",
        turns=turns,
        ended=ended,
        error=error,
    )


def _turn(turn: Mapping[str, Any], names: KnownTools) -> Turn:
    tokens = map_of(turn.get("usage"))
    usage = Usage(
        count_of(tokens.get("input")),
        count_of(tokens.get("output")),
        count_of(tokens.get("cache_read")),
        count_of(tokens.get("cache_write")),
        tokens.get("counted") is True,
    )
    exchanges = tuple(_exchange(map_of(each), names) for each in list_of(turn.get("exchanges")))
    return Turn(text_of(turn.get("text")), exchanges, usage, _dollars(turn.get("cost")))


def _dollars(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if 0 <= value < 1e9 else None


def _exchange(entry: Mapping[str, Any], names: KnownTools) -> Exchange:
    made = (map_of(each) for each in list_of(entry.get("made")))
    return Exchange(
        text_of(entry.get("tool")),
        map_of(structured(entry.get("arguments"))),
        text_of(entry.get("result")),
        entry.get("is_error") is True,
        tuple(made_call(each.get("name"), each.get("server"), each.get("arguments"), names) for each in made),
    )
