"""The transcript of a run for people: the model's texts, its calls and their results, shortened to fit a report.

It is made from a redacted trace and is stored in `run.json`, so that a page can be rendered later.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from toolbooth import limits
from toolbooth.suite.trace import Ended, Exchange, Trace, Turn


@dataclass(frozen=True)
class ShownCall:
    """A call of a menu tool with its arguments as JSON; `made` are the real tools behind it, if they differ."""

    tool: str
    arguments: str
    result: str = ""
    is_error: bool = False
    made: tuple[str, ...] = ()


@dataclass(frozen=True)
class ShownTurn:
    """The text and the calls of one turn."""

    text: str = ""
    calls: tuple[ShownCall, ...] = ()


@dataclass(frozen=True)
class Transcript:
    """One run. `left_out` counts the calls that did not fit."""

    run: int
    padded: bool = False
    ended: Ended = "done"
    error: str = ""
    made_at: str = ""
    tokens: int = 0
    turns: tuple[ShownTurn, ...] = field(default=())
    left_out: int = 0


def transcripts(runs: Sequence[Trace], padded: Sequence[Trace]) -> tuple[Transcript, ...]:
    """All runs of a cell, the padded ones last."""
    plain = (_transcript(trace, number, padded=False) for number, trace in enumerate(runs, 1))
    return (*plain, *(_transcript(trace, number, padded=True) for number, trace in enumerate(padded, 1)))


def shortened(text: str, most: int) -> str:
    """The beginning of a text, and how much is left out."""
    if len(text) <= most:
        return text
    return f"{text[:most]}… ({len(text) - most:,} more characters)"


def _transcript(trace: Trace, number: int, *, padded: bool) -> Transcript:
    turns = tuple(_turns(trace))
    calls = sum(len(turn.exchanges) for turn in trace.turns)
    left_out = calls - sum(len(turn.calls) for turn in turns)
    return Transcript(
        number, padded, trace.ended, trace.error, trace.made_at, trace.total_tokens, turns, left_out
    )


def _turns(trace: Trace) -> Iterator[ShownTurn]:
    """The turns that fit, and always the last one, which has the answer."""
    remaining = limits.SHOWN_CALLS
    for index, turn in enumerate(trace.turns, 1):
        shown = _turn(turn, remaining)
        remaining -= len(shown.calls)
        if remaining > 0 or shown.calls or index == len(trace.turns):
            yield shown


def _turn(turn: Turn, remaining: int) -> ShownTurn:
    return ShownTurn(
        shortened(turn.text, limits.SHOWN_SAID), tuple(map(_call, turn.exchanges[: max(0, remaining)]))
    )


def _call(exchange: Exchange) -> ShownCall:
    made = tuple(call.id for call in exchange.made)
    arguments = json.dumps(exchange.arguments, ensure_ascii=False, sort_keys=True, default=str)
    return ShownCall(
        exchange.tool,
        shortened(arguments, limits.SHOWN_RESULT),
        shortened(exchange.result, limits.SHOWN_RESULT),
        exchange.is_error,
        () if made == (exchange.tool,) else made,
    )


# -- run.json: what is empty is left out -------------------------------------------------------------------------
def transcript_json(shown: Transcript) -> dict[str, Any]:
    """The form in `run.json`."""
    turns = [_filled(text=turn.text, calls=[_call_json(call) for call in turn.calls]) for turn in shown.turns]
    rest = _filled(
        padded=shown.padded,
        error=shown.error,
        made_at=shown.made_at,
        tokens=shown.tokens,
        turns=turns,
        left_out=shown.left_out,
    )
    return {"run": shown.run, "ended": shown.ended, **rest}


def _call_json(call: ShownCall) -> dict[str, Any]:
    rest = _filled(result=call.result, is_error=call.is_error, made=list(call.made))
    return {"tool": call.tool, "arguments": call.arguments, **rest}


def _filled(**entries: Any) -> dict[str, Any]:
    return {key: value for key, value in entries.items() if value}


def read_transcript(raw: Mapping[str, Any]) -> Transcript:
    """Every key and kind has been checked."""
    turns = tuple(
        ShownTurn(turn.get("text", ""), tuple(_read_call(call) for call in turn.get("calls", ())))
        for turn in raw.get("turns", ())
    )
    return Transcript(**{**raw, "turns": turns})


def _read_call(raw: Mapping[str, Any]) -> ShownCall:
    return ShownCall(**{**raw, "made": tuple(raw.get("made", ()))})
