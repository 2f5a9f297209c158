"""The transcript of a run for people: the model's texts, its calls and their results, shortened to fit a report.

It is made from a redacted trace and is stored in `run.json`, so that a page can be rendered later.
"""

import json
from collections.abc import Iterator, Sequence
from typing import Annotated

from msgspec import Meta, Struct

from toolbooth import limits
from toolbooth.suite.trace import Ended, Exchange, Trace, Turn

Count = Annotated[
    int, Meta(ge=0, lt=10**15)
]  # none of our counts is larger, and a float represents it exactly


class RunPart(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A part of `run.json`: unknown keys are refused, and what is empty is left out."""


class ShownCall(RunPart, frozen=True):
    """A call of a menu tool with its arguments as JSON; `made` are the real tools behind it, if they differ."""

    tool: str
    arguments: str
    result: str = ""
    is_error: bool = False
    made: tuple[str, ...] = ()


class ShownTurn(RunPart, frozen=True):
    """The text and the calls of one turn."""

    text: str = ""
    calls: tuple[ShownCall, ...] = ()


class Transcript(RunPart, frozen=True):
    """One run. `left_out` counts the calls that did not fit."""

    run: Count
    ended: Ended
    padded: bool = False
    error: str = ""
    made_at: str = ""
    tokens: Count = 0
    turns: tuple[ShownTurn, ...] = ()
    left_out: Count = 0


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
        number, trace.ended, padded, trace.error, trace.made_at, trace.total_tokens, turns, left_out
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
