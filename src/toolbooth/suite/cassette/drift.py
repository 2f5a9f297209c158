"""A recording × what a suite wants now → what changed since, a line each."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from toolbooth.catalog import Catalog, Tool, canonical
from toolbooth.limits import SHOWN_CHANGE, SHOWN_TOOLS
from toolbooth.safetext import for_terminal
from toolbooth.suite.cassette.cassette_json import Cassette, Setting
from toolbooth.suite.cassette.menu_json import catalog_hash
from toolbooth.suite.redaction import REDACTED

ANY_MODEL = frozenset({"", "replay"})
_FIELDS: tuple[tuple[str, Callable[[Tool], Any]], ...] = (
    ("description", lambda tool: tool.description),
    ("schema", lambda tool: tool.input_schema),
    ("output schema", lambda tool: tool.output_schema),
    ("annotations", lambda tool: tool.annotations),
)


@dataclass(frozen=True)
class Wanted:
    """What a run would be made of now. What is None is not compared, `model: replay` takes any recorded one."""

    prompt: str
    system_prompt: str = ""
    model: str = ""
    surface: str = "direct"
    servers: tuple[str, ...] | None = None
    catalog: Catalog | None = None
    max_turns: int | None = None
    settings: Mapping[str, Setting] | None = None


def drift(cassette: Cassette, wanted: Wanted, stored: Catalog | None = None) -> tuple[str, ...]:
    """Nothing where nothing changed; `stored` is the catalog of the recording, if it is there."""
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
    return f"{what} changed: {for_terminal(before)} → {for_terminal(now)}"


def _text(what: str, before: str, now: str) -> Iterator[str]:
    if same_but_redacted(before, now):
        return
    shared = zip(before, now, strict=False)
    at = next(
        (place for place, (one, other) in enumerate(shared) if one != other), min(len(before), len(now))
    )
    yield f"{what} changed at character {at + 1}: {_around(before, at)} → {_around(now, at)}"


def _around(text: str, at: int) -> str:
    start, end = max(0, at - SHOWN_CHANGE // 4), at + SHOWN_CHANGE
    shown = for_terminal(text[start:end], SHOWN_CHANGE * 2)
    return f"“{'…' if start else ''}{shown}{'…' if end < len(text) else ''}”"


def same_but_redacted(before: str, now: str) -> bool:
    """Whether `now` may be what was recorded as `before`, whatever was taken out of it."""
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
    shown = ", ".join(for_terminal(name, 120) for name in names[:SHOWN_TOOLS])
    return shown if len(names) <= SHOWN_TOOLS else f"{shown} and {len(names) - SHOWN_TOOLS} more"


def _settings(before: Mapping[str, Setting], now: Mapping[str, Setting]) -> Iterator[str]:
    for name in sorted(before.keys() | now.keys()):
        was, is_now = before.get(name), now.get(name)
        if was != is_now or type(was) is not type(is_now):
            yield _moved(
                name, "not set" if was is None else str(was), "not set" if is_now is None else str(is_now)
            )


def _turns(cassette: Cassette, most: int) -> Iterator[str]:
    turns = len(cassette.trace.turns)
    if turns > most:
        yield f"the recording has {turns} turns, and max_turns is {most} now"
    elif cassette.trace.ended == "max_turns" and turns < most:
        yield f"the recording was stopped after {turns} turns, and max_turns is {most} now"


def _catalog(recorded: str, stored: Catalog | None, now: Catalog) -> Iterator[str]:
    if recorded == catalog_hash(now):
        return
    if stored is None:
        if recorded:
            yield "the catalog changed; its recorded copy is missing, so what changed cannot be told"
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
