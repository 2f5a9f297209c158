"""The check of a parsed `run.json`: every key is known and has the right type, or one line says which is not."""

import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from toolbooth import errors, safetext

MOST_DIGITS: Final = 10**15  # none of our counts is larger, and a float represents it exactly


class _Wrong(Exception):
    """The path of a wrong value, and what is expected there."""


class ValueRule(NamedTuple):
    """The rule for the value of a key. `check` gets the value and its path."""

    check: Callable[[Any, str], None]
    needed: bool = True


def checked(document: Mapping[str, Any], path: Path) -> Mapping[str, Any]:
    """The document itself. Raises ConfigError."""
    try:
        _object(_RUN)(document, "")
    except _Wrong as wrong:
        reason = safetext.for_terminal(str(wrong), 160)
        raise errors.ConfigError(f"the run is damaged: {reason}; run the suite again", path) from None
    return document


def _leaf(words: str, fits: Callable[[Any], bool]) -> Callable[[Any, str], None]:
    def check(value: Any, at: str) -> None:
        if not fits(value):
            raise _Wrong(f"{at or 'it'} is not {words}")

    return check


def _object(keys: Mapping[str, ValueRule]) -> Callable[[Any, str], None]:
    def check(value: Any, at: str) -> None:
        _IS_OBJECT(value, at)
        lacking = [key for key, kind in keys.items() if kind.needed and key not in value]
        unknown = [key for key in value if key not in keys]
        if lacking or unknown:
            what = f"has no {lacking[0]!r}" if lacking else f"has an unknown key {unknown[0]!r}"
            raise _Wrong(f"{at or 'it'} {what}")
        for key, entry in value.items():
            keys[key].check(entry, f"{at}.{key}" if at else key)

    return check


def _items(each: Callable[[Any, str], None]) -> Callable[[Any, str], None]:
    def check(value: Any, at: str) -> None:
        _leaf("a list", lambda found: isinstance(found, list))(value, at)
        for index, entry in enumerate(value):
            each(entry, f"{at}[{index}]")

    return check


def _entries(each: Callable[[Any, str], None]) -> Callable[[Any, str], None]:
    def check(value: Any, at: str) -> None:
        _IS_OBJECT(value, at)
        for key, entry in value.items():
            each(entry, f"{at}.{key}")

    return check


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= sys.float_info.max


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < MOST_DIGITS


def _words(*known: str) -> Callable[[Any, str], None]:
    return _leaf(f"one of {', '.join(known)}", lambda value: isinstance(value, str) and value in known)


def _maybe(check: Callable[[Any, str], None]) -> ValueRule:
    return ValueRule(check, needed=False)


_IS_OBJECT = _leaf("an object", lambda value: isinstance(value, Mapping))
_TEXT = _leaf("text", lambda value: isinstance(value, str))
_COUNT = _leaf("a whole number from 0 up", _is_count)
_WHOLE = _leaf("a whole number", lambda value: isinstance(value, int) and not isinstance(value, bool))
_NUMBER = _leaf("a number", _is_number)
_FLAG = _leaf("true or false", lambda value: isinstance(value, bool))
_ANY = _leaf("", lambda _value: True)
_KEY = {"test": ValueRule(_TEXT), "model": ValueRule(_TEXT), "surface": ValueRule(_TEXT)}
_CHECK = {
    "target": ValueRule(_TEXT),
    "wanted": ValueRule(_TEXT),
    "state": ValueRule(_words("passed", "failed", "skipped")),
    "found": _maybe(_ANY),
    "why": _maybe(_TEXT),
}
_VERDICT = {
    "gate": ValueRule(_TEXT),
    "checks": _maybe(_items(_object(_CHECK))),
    "figures": _maybe(_entries(_NUMBER)),
    "grade": _maybe(_TEXT),
    "missed": _maybe(_entries(_COUNT)),
    "unexpected": _maybe(_entries(_COUNT)),
}
_CALL = {
    "tool": ValueRule(_TEXT),
    "arguments": ValueRule(_TEXT),
    "result": _maybe(_TEXT),
    "is_error": _maybe(_FLAG),
    "made": _maybe(_items(_TEXT)),
}
_TURN = {"text": _maybe(_TEXT), "calls": _maybe(_items(_object(_CALL)))}
_TRANSCRIPT = {
    "run": ValueRule(_COUNT),
    "padded": _maybe(_FLAG),
    "ended": ValueRule(_words("done", "max_turns", "error", "refused")),
    "error": _maybe(_TEXT),
    "made_at": _maybe(_TEXT),
    "tokens": _maybe(_COUNT),
    "turns": _maybe(_items(_object(_TURN))),
    "left_out": _maybe(_COUNT),
}
_RATE = {
    "hits": ValueRule(_COUNT),
    "of": ValueRule(_COUNT),
    "low": ValueRule(_NUMBER),
    "high": ValueRule(_NUMBER),
}
_CELL = {
    **_KEY,
    "status": ValueRule(_words("passed", "failed", "error", "refused", "not run")),
    "runs": ValueRule(_COUNT),
    "source": _maybe(_words("replayed", "live", "recorded")),
    "verdicts": _maybe(_items(_object(_VERDICT))),
    "errors": _maybe(_items(_TEXT)),
    "notes": _maybe(_items(_TEXT)),
    "passes": _maybe(_object(_RATE)),
    "tools": _maybe(_entries(_COUNT)),
    "turns": ValueRule(_COUNT),
    "input_tokens": ValueRule(_COUNT),
    "output_tokens": ValueRule(_COUNT),
    "tool_surface_tokens": _maybe(_COUNT),
    "cost": _maybe(_NUMBER),
    "seconds": ValueRule(_NUMBER),
    "path": _maybe(_TEXT),
    "line": ValueRule(_COUNT),
    "prompt": _maybe(_TEXT),
    "versions": _maybe(_entries(_TEXT)),
    "transcripts": _maybe(_items(_object(_TRANSCRIPT))),
}
_MOVED = {
    **_KEY,
    "figure": ValueRule(_TEXT),
    "before": _maybe(_NUMBER),
    "now": _maybe(_NUMBER),
    "worse": ValueRule(_FLAG),
}
_COMPARISON = {
    "baseline": ValueRule(_TEXT),
    "moved": ValueRule(_items(_object(_MOVED))),
    "added": ValueRule(_items(_object(_KEY))),
    "gone": ValueRule(_items(_object(_KEY))),
    "same": ValueRule(_COUNT),
}
_RUN = {
    "format": ValueRule(_TEXT),
    "version": ValueRule(_ANY),
    "summary": _maybe(_ANY),
    "suites": ValueRule(_items(_TEXT)),
    "cells": ValueRule(_items(_object(_CELL))),
    "warnings": _maybe(_items(_TEXT)),
    "seed": ValueRule(_WHOLE),
    "shard": _maybe(_TEXT),
    "partial": ValueRule(_FLAG),
    "comparison": _maybe(_object(_COMPARISON)),
}
