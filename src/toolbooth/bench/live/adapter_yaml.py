"""`*.yaml` of an adapter → a checked adapter; the first mistake is named with line, column and the nearest key."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Any, Final

import jmespath  # type: ignore[import-untyped]
from jmespath.exceptions import JMESPathError  # type: ignore[import-untyped]

from toolbooth.bench.live.adapter import (
    OF_A_TOOL,
    PLACEHOLDERS,
    Adapter,
    Answered,
    Request,
    Step,
    placeholders,
)
from toolbooth.catalog.config import Document, parse_document
from toolbooth.catalog.config.key_table import FILLED, Items, Key, Keys, Schema, dotted, one_of
from toolbooth.catalog.config.key_table import Path as Place
from toolbooth.errors import UserMistake
from toolbooth.limits import MAX_ADAPTER_BYTES
from toolbooth.safetext import for_terminal

SHIPPED: Final = Path(__file__).with_name("adapters")
_SUFFIXES: Final = (".yaml", ".yml", ".json")
_ALL: Final = "{arguments}"


@dataclass(frozen=True)
class Template:
    """A value with `{words}`; `words` are those that may stand in it. `map_only`: a map, or all of `{arguments}`."""

    words: tuple[str, ...] = PLACEHOLDERS
    map_only: bool = False

    def check(self, document: Document, value: object, at: Place) -> None:
        if self.map_only and value != _ALL and not isinstance(value, Mapping):
            raise document.mistake(f"{dotted(at)} must be a map of arguments, or {_ALL}", at)
        for word in placeholders(value):
            if word not in self.words:
                near = get_close_matches(word, self.words, n=1)
                known = ", ".join(f"{{{each}}}" for each in self.words)
                help_ = f"did you mean {{{near[0]}}}?" if near else f"known are {known}"
                raise document.mistake(
                    f"{dotted(at)}: nothing is known for {{{for_terminal(word, 40)}}}; {help_}", at
                )

    def schema(self) -> Schema:
        return {"type": ["object", "string"]} if self.map_only else {"type": "string", "pattern": r"\S"}


_REQUEST: Final = {
    "call": Key(FILLED, "The tool that is called; {server} and {tool} may stand in its name."),
    "arguments": Key(Template(map_only=True), "Its arguments, with {query}, {server}, {tool}, {id}."),
}
_STEP: Final = {
    **_REQUEST,
    "role": Key(one_of("search", "list", "definition"), "What the answer is: hits, a list, or a definition."),
    "ids_in": Key(
        one_of("structured", "json", "lines"),
        "Where a search's answer names its tools: structuredContent, JSON in its text, or lines of its text.",
    ),
    "path": Key(FILLED, "A JMESPath to the names, for structured and json."),
    "pattern": Key(FILLED, "A regular expression whose first group is the name, for lines."),
    "unless": Key(
        one_of("told"),
        "told: left out where the line that shows the tool has all of its required parameters.",
    ),
}
_TOP: Final = Keys(
    {
        "name": Key(FILLED, "The adapter's name."),
        "about": Key(FILLED, "What it is for, in a line."),
        "finds": Key(
            one_of("search", "oracle"),
            "search: the endpoint ranks tools for a query. oracle: it has no search, and the right way is assumed.",
        ),
        "ids": Key(FILLED, "How this endpoint spells a tool, such as {server}.{tool}."),
        "or_ids": Key(
            FILLED,
            "Its other spelling, such as {tool}: for a tool that the menu has so and not by ids, alone of that name.",
        ),
        "steps": Key(
            Items(Keys(_STEP)), "The way to a tool, in order; none where every tool is in the menu."
        ),
        "call": Key(
            Keys({"tool": Key(FILLED, "The tool that is called."), "arguments": _REQUEST["arguments"]}),
            "How a tool is called; {arguments} stands for its arguments.",
        ),
    }
)


def find_adapter(named: str) -> Adapter:
    """One that ships with Toolbooth, by name; or a file."""
    shipped = shipped_adapters()
    if named in shipped:
        return load_adapter(shipped[named])
    if Path(named).suffix in _SUFFIXES or Path(named).exists():
        return load_adapter(Path(named))
    near = get_close_matches(named, shipped, n=1)
    help_ = f"did you mean {near[0]}?" if near else f"there are {', '.join(shipped)}; or name a .yaml file"
    raise UserMistake(f'there is no adapter "{for_terminal(named, 60)}"; {help_}')


@cache
def shipped_adapters() -> Mapping[str, Path]:
    """Name → file."""
    return {path.stem: path for path in sorted(SHIPPED.glob("*.yaml"))}


def load_adapter(path: Path) -> Adapter:
    """Read and check; raises ConfigError."""
    document = parse_document(path, MAX_ADAPTER_BYTES)
    _TOP.check(document, document.value, ())
    for key in ("name", "finds", "ids", "call"):
        if not document.value.get(key):
            raise document.mistake(f"{key} is missing; an adapter has name, finds, ids, steps and call")
    given = document.value
    for key in ("ids", "or_ids"):
        Template(("server", "tool")).check(document, given.get(key, ""), (key,))
    steps = tuple(_step(document, each, ("steps", at)) for at, each in enumerate(given.get("steps") or ()))
    _check_way(document, given["finds"], steps)
    if steps and "or_ids" in given:
        raise document.mistake(
            "or_ids is for an endpoint without steps, whose menu has every tool", ("or_ids",), key=True
        )
    call = _request(document, given["call"], ("call",), "tool")
    about, or_ids = given.get("about", ""), given.get("or_ids", "")
    return Adapter(given["name"], about, given["finds"], given["ids"], steps, call, or_ids)


def _step(document: Document, given: Mapping[str, Any], at: Place) -> Step:
    if not given or "role" not in given:
        raise document.mistake(f"{dotted(at)} has no role: search, list or definition", at)
    answered = _answered(document, given, at) if given["role"] == "search" else None
    stray = next((key for key in ("ids_in", "path", "pattern") if key in given and answered is None), None)
    if stray:
        raise document.mistake(
            f"{dotted((*at, stray))} is for a step with role search", (*at, stray), key=True
        )
    if "unless" in given and given["role"] != "definition":
        raise document.mistake(
            f"{dotted(at)}: unless is for a step with role definition", (*at, "unless"), key=True
        )
    return Step(_request(document, given, at, "call"), given["role"], answered, "unless" in given)


def _request(document: Document, given: Mapping[str, Any], at: Place, key: str) -> Request:
    if key not in given:
        raise document.mistake(f"{dotted(at)} has no {key}: which tool is called?", at)
    Template().check(document, given[key], (*at, key))
    return Request(given[key], given.get("arguments") or {})


def _answered(document: Document, given: Mapping[str, Any], at: Place) -> Answered:
    ids_in = given.get("ids_in")
    key = "pattern" if ids_in == "lines" else "path"
    if ids_in is None or key not in given:
        raise document.mistake(f"{dotted(at)} needs ids_in, and path or pattern: where are the names?", at)
    where, place = given[key], (*at, key)
    try:
        groups = re.compile(where).groups if key == "pattern" else bool(jmespath.compile(where))
    except (re.error, JMESPathError, RecursionError) as error:
        said = for_terminal(str(error).splitlines()[0], 120)
        raise document.mistake(f"{dotted(place)} cannot be used: {said}", place) from None
    if not groups:
        raise document.mistake(f"{dotted(place)} has no group: put the name into (…)", place)
    return Answered(ids_in, where)


def _check_way(document: Document, finds: str, steps: tuple[Step, ...]) -> None:
    """A search comes before anything that speaks of a tool; without one nothing may be ranked."""
    searches = [at for at, step in enumerate(steps) if step.role == "search"]
    if finds == "oracle" and searches:
        raise document.mistake("a step searches, so `finds` must be search", ("steps", searches[0]))
    if finds == "search" and len(searches) != 1:
        raise document.mistake(
            f"`finds: search` needs one step with role search, not {len(searches)}", ("steps",)
        )
    _check_unless(document, steps)
    for at in range(searches[0] + 1 if searches else 0):
        early = sorted(steps[at].request.needs & OF_A_TOOL)
        if early:
            raise document.mistake(f"no tool is known before the search: {{{early[0]}}}", ("steps", at))


def _check_unless(document: Document, steps: tuple[Step, ...]) -> None:
    """Only lines of text can be looked at for parameters."""
    lines = any(step.answered is not None and step.answered.ids_in == "lines" for step in steps)
    for at, step in enumerate(steps):
        if step.unless_told and not lines:
            raise document.mistake(
                "unless: told needs a search whose ids are in lines", ("steps", at, "unless")
            )
