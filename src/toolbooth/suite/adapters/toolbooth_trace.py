"""Toolbooth traces: `{"tool_calls": [{name, server?, args?}]}`, a plain list of such calls, or a cassette."""

from collections.abc import Mapping
from typing import Any, Final

from toolbooth.suite.adapters import tool_names, trace_builder, trace_file
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


@trace_file.adapter("toolbooth", '{"tool_calls": [{name, server}]}, or a cassette', _is_run)
def read_toolbooth(run: Any, names: tool_names.KnownTools) -> list[Trace]:
    """A cassette also has the real calls behind a surface; the plain formats are the calls themselves."""
    if _is_cassette(run):
        return [_cassette(run, names)]
    return [_plain({"tool_calls": run} if isinstance(run, list) else run, names)]


def _plain(run: Mapping[str, Any], names: tool_names.KnownTools) -> Trace:
    builder = trace_builder.TraceBuilder()
    for entry in run["tool_calls"]:
        call = trace_builder.map_of(entry)
        arguments = call.get("arguments", call.get("args"))
        builder.use(
            "",
            trace_builder.text_of(call.get("name")),
            trace_builder.made_call(call.get("name"), call.get("server"), arguments, names),
        )
    answer = trace_builder.text_of(run.get("final_response"))
    if answer:
        builder.next_turn()
        builder.say(answer)
    return builder.trace(error=trace_builder.text_of(run.get("error")))


def _cassette(run: Mapping[str, Any], names: tool_names.KnownTools) -> Trace:
    error = trace_builder.text_of(run.get("error"))
    ended: Ended = _ENDS.get(trace_builder.text_of(run.get("ended")), "error" if error else "done")
    turns = tuple(
        _turn(trace_builder.map_of(turn), names) for turn in trace_builder.list_of(run.get("turns"))
    )
    return Trace(
        prompt=trace_builder.text_of(run.get("prompt")),
        model=trace_builder.text_of(run.get("model")),
        surface=trace_builder.text_of(run.get("surface")) or "direct",
        turns=turns,
        ended=ended,
        error=error,
    )


def _turn(turn: Mapping[str, Any], names: tool_names.KnownTools) -> Turn:
    tokens = trace_builder.map_of(turn.get("usage"))
    usage = Usage(
        trace_builder.count_of(tokens.get("input")),
        trace_builder.count_of(tokens.get("output")),
        trace_builder.count_of(tokens.get("cache_read")),
        trace_builder.count_of(tokens.get("cache_write")),
        tokens.get("counted") is True,
    )
    exchanges = tuple(
        _exchange(trace_builder.map_of(each), names) for each in trace_builder.list_of(turn.get("exchanges"))
    )
    return Turn(trace_builder.text_of(turn.get("text")), exchanges, usage, _dollars(turn.get("cost")))


def _dollars(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if 0 <= value < 1e9 else None


def _exchange(entry: Mapping[str, Any], names: tool_names.KnownTools) -> Exchange:
    made = (trace_builder.map_of(each) for each in trace_builder.list_of(entry.get("made")))
    return Exchange(
        trace_builder.text_of(entry.get("tool")),
        trace_builder.map_of(trace_builder.structured(entry.get("arguments"))),
        trace_builder.text_of(entry.get("result")),
        entry.get("is_error") is True,
        tuple(
            trace_builder.made_call(each.get("name"), each.get("server"), each.get("arguments"), names)
            for each in made
        ),
    )
