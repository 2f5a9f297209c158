"""Drift: the differences between a recording and the present suite, one line each."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from toolbooth import limits, safetext
from toolbooth.catalog import Catalog, Tool, canonical
from toolbooth.suite.recordings import cassette_json, menu_json
from toolbooth.suite.redaction import REDACTED
from toolbooth.suite.spec.script import ScriptedTurn, ScriptedUse
from toolbooth.suite.trace import Exchange, Turn

ANY_MODEL = frozenset({"", "replay"})
_FIELDS: tuple[tuple[str, Callable[[Tool], Any]], ...] = (
    ("description", lambda tool: tool.description),
    ("schema", lambda tool: tool.input_schema),
    ("output schema", lambda tool: tool.output_schema),
    ("annotations", lambda tool: tool.annotations),
)


@dataclass(frozen=True)
class WantedRun:
    """What a run would use now. None is not compared; `model: replay` accepts any recorded model."""

    prompt: str
    system_prompt: str = ""
    model: str = ""
    surface: str = "direct"
    servers: tuple[str, ...] | None = None
    catalog: Catalog | None = None
    max_turns: int | None = None
    settings: Mapping[str, cassette_json.Setting] | None = None


def drift(
    cassette: cassette_json.Cassette, wanted: WantedRun, stored: Catalog | None = None
) -> tuple[str, ...]:
    """Empty if nothing changed; `stored` is the catalog of the recording, if it was kept."""
    trace = cassette.trace
    lines = [
        *_text("the prompt", trace.prompt, wanted.prompt),
        *_text("the system prompt", trace.system_prompt, wanted.system_prompt),
    ]
    if wanted.model not in ANY_MODEL and wanted.model not in (trace.model, cassette.key.model):
        lines.append(_moved("the model", trace.model or cassette.key.model, wanted.model))
    if wanted.surface != trace.surface:
        lines.append(_moved("the surface", trace.surface, wanted.surface))
    if wanted.servers is not None:
        lines += _names("servers", cassette.servers, wanted.servers)
    if wanted.settings is not None:
        lines += _settings(cassette.settings, wanted.settings)
    if wanted.max_turns is not None:
        lines += _turns(cassette, wanted.max_turns)
    if wanted.catalog is not None:
        lines += _catalog(trace.catalog, stored, wanted.catalog)
    return tuple(lines)


def _moved(what: str, before: str, now: str) -> str:
    return f"{what} changed: {safetext.for_terminal(before)} → {safetext.for_terminal(now)}"


def _text(what: str, before: str, now: str) -> Iterator[str]:
    if same_but_redacted(before, now):
        return
    shared = zip(before, now, strict=False)
    at = next(
        (place for place, (one, other) in enumerate(shared) if one != other), min(len(before), len(now))
    )
    yield f"{what} changed at character {at + 1}: {_around(before, at)} → {_around(now, at)}"


def _around(text: str, at: int) -> str:
    start, end = max(0, at - limits.SHOWN_CHANGE // 4), at + limits.SHOWN_CHANGE
    shown = safetext.for_terminal(text[start:end], limits.SHOWN_CHANGE * 2)
    return f"“{'…' if start else ''}{shown}{'…' if end < len(text) else ''}”"


def same_but_redacted(before: str, now: str) -> bool:
    """Whether `now` may be what was recorded as `before`, whose secrets were redacted."""
    if REDACTED not in before:
        return before == now
    first, *between, last = before.split(REDACTED)
    if len(first) + len(last) > len(now) or not (now.startswith(first) and now.endswith(last)):
        return False
    at, end = len(first), len(now) - len(last)
    for piece in between:
        found = now.find(piece, at, end)
        if found < 0:
            return False
        at = found + len(piece)
    return True


def _names(what: str, before: Iterable[str], now: Iterable[str]) -> Iterator[str]:
    was, are = set(before), set(now)
    if are - was:
        yield f"{what} added: {_some(sorted(are - was))}"
    if was - are:
        yield f"{what} removed: {_some(sorted(was - are))}"


def _some(names: Sequence[str]) -> str:
    shown = ", ".join(safetext.for_terminal(name, 120) for name in names[: limits.SHOWN_TOOLS])
    return (
        shown if len(names) <= limits.SHOWN_TOOLS else f"{shown} and {len(names) - limits.SHOWN_TOOLS} more"
    )


def _settings(
    before: Mapping[str, cassette_json.Setting], now: Mapping[str, cassette_json.Setting]
) -> Iterator[str]:
    for name in sorted(before.keys() | now.keys()):
        was, is_now = before.get(name), now.get(name)
        if was != is_now or type(was) is not type(is_now):
            yield _moved(
                name, "not set" if was is None else str(was), "not set" if is_now is None else str(is_now)
            )


def _turns(cassette: cassette_json.Cassette, most: int) -> Iterator[str]:
    turns = len(cassette.trace.turns)
    if turns > most:
        yield f"the recording has {turns} turns, but max_turns is now {most}"
    elif cassette.trace.ended == "max_turns" and turns < most:
        yield f"the recording was stopped after {turns} turns, but max_turns is now {most}"


def _catalog(recorded: str, stored: Catalog | None, now: Catalog) -> Iterator[str]:
    if recorded == menu_json.catalog_hash(now):
        return
    if stored is None:
        if recorded:
            yield "the catalog changed; its recorded copy is missing, so the changes are unknown"
        return
    was, are = ({tool.id: tool for tool in catalog} for catalog in (stored, now))
    yield from _names("tools", was, are)
    changed = [
        f"{name} ({', '.join(fields)})"
        for name in sorted(was.keys() & are.keys())
        if (fields := _changed(was[name], are[name]))
    ]
    if changed:
        yield f"tools changed: {_some(changed)}"


def _changed(before: Tool, now: Tool) -> list[str]:
    return [
        name
        for name, field in _FIELDS
        if not same_but_redacted(canonical(field(before)), canonical(field(now)))
    ]


def matches_script(script: Sequence[ScriptedTurn], turns: Sequence[Turn], most: int) -> bool:
    """Whether the recorded turns play the script. A run ends with the first turn without calls."""
    wanted = list(_until_the_end(script))[:most]
    return len(turns) == len(wanted) and all(_matches_turn(*pair) for pair in zip(wanted, turns, strict=True))


def _until_the_end(script: Sequence[ScriptedTurn]) -> Iterator[ScriptedTurn]:
    for turn in (*script, ScriptedTurn()):
        yield turn
        if not turn.uses:
            return


def _matches_turn(wanted: ScriptedTurn, turn: Turn) -> bool:
    return (
        same_but_redacted(turn.text, wanted.say)
        and len(wanted.uses) == len(turn.exchanges)
        and all(_matches_use(*pair) for pair in zip(wanted.uses, turn.exchanges, strict=True))
    )


def _matches_use(use: ScriptedUse, exchange: Exchange) -> bool:
    if use.from_menu:
        return exchange.tool == use.name and _same(exchange.arguments, use.arguments)
    made = exchange.made[0] if len(exchange.made) == 1 else None
    return made is not None and use.name in (made.name, made.id) and _same(made.arguments, use.arguments)


def _same(recorded: Any, wanted: Any) -> bool:
    return same_but_redacted(canonical(recorded), canonical(wanted))
