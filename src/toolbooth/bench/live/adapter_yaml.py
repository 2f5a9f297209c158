"""Adapter files, `*.yaml`: read and checked. Mistakes name line and column and suggest the nearest key."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

import jmespath  # type: ignore[import-untyped]
from jmespath.exceptions import JMESPathError  # type: ignore[import-untyped]

from toolbooth import errors, limits, safetext, suggest
from toolbooth.bench.live.adapter import (
    OF_A_TOOL,
    PLACEHOLDERS,
    AdapterStep,
    AnswerFormat,
    EndpointAdapter,
    RequestTemplate,
    placeholders,
)
from toolbooth.catalog.config import Document, parse_document
from toolbooth.catalog.config.key_table import FILLED, Items, Key, KeyPath, Keys, Schema, dotted, one_of

SHIPPED: Final = Path(__file__).with_name("adapters")
_SUFFIXES: Final = (".yaml", ".yml", ".json")
_ALL: Final = "{arguments}"


@dataclass(frozen=True)
class Template:
    """A value with placeholders from `words`. `map_only`: it is a map, or `{arguments}` alone."""

    words: tuple[str, ...] = PLACEHOLDERS
    map_only: bool = False

    def check(self, document: Document, value: object, at: KeyPath) -> None:
        if self.map_only and value != _ALL and not isinstance(value, Mapping):
            raise document.mistake(f"{dotted(at)} must be a map of arguments, or {_ALL}", at)
        for word in placeholders(value):
            if word not in self.words:
                known = ", ".join(f"{{{each}}}" for each in self.words)
                hint = suggest.did_you_mean(word, self.words, f"the placeholders are {known}", form="{{{}}}")
                raise document.mistake(
                    f"{dotted(at)}: unknown placeholder {{{safetext.for_terminal(word, 40)}}}; {hint}", at
                )

    def schema(self) -> Schema:
        return {"type": ["object", "string"]} if self.map_only else {"type": "string", "pattern": r"\S"}


_REQUEST: Final = {
    "call": Key(FILLED, "The tool that is called; its name may contain {server} and {tool}."),
    "arguments": Key(Template(map_only=True), "Its arguments, with {query}, {server}, {tool}, {id}."),
}
_STEP: Final = {
    **_REQUEST,
    "role": Key(one_of("search", "list", "definition"), "What the answer is: hits, a list, or a definition."),
    "ids_in": Key(
        one_of("structured", "json", "lines"),
        "Where the answer of a search has the tools: structuredContent, JSON in its text, or lines of its text.",
    ),
    "path": Key(FILLED, "A JMESPath to the names, for structured and json."),
    "pattern": Key(FILLED, "A regular expression whose first group is the name, for lines."),
    "unless": Key(
        one_of("shown"),
        "shown: skipped if the line that shows the tool has all required parameters.",
    ),
}
_TOP: Final = Keys(
    {
        "name": Key(FILLED, "The adapter's name."),
        "about": Key(FILLED, "What it is for, in a line."),
        "finds": Key(
            one_of("search", "oracle"),
            "search: the endpoint ranks tools for a query. oracle: it has no search, and the right tool is assumed.",
        ),
        "ids": Key(FILLED, "How this endpoint spells a tool, such as {server}.{tool}."),
        "or_ids": Key(
            FILLED,
            "Another spelling, such as {tool}, for a tool that is in the menu only under this unique name.",
        ),
        "steps": Key(
            Items(Keys(_STEP)), "The requests that lead to a tool, in order; none if the menu has every tool."
        ),
        "call": Key(
            Keys({"tool": Key(FILLED, "The tool that is called."), "arguments": _REQUEST["arguments"]}),
            "How a tool is called; {arguments} stands for its arguments.",
        ),
    }
)


def find_adapter(named: str) -> EndpointAdapter:
    """An adapter that ships with Toolbooth, by name, or a file."""
    shipped = shipped_adapters()
    if named in shipped:
        return load_adapter(shipped[named])
    if Path(named).suffix in _SUFFIXES or Path(named).exists():
        return load_adapter(Path(named))
    hint = suggest.did_you_mean(
        named, shipped, f"the adapters are {', '.join(shipped)}; or name a .yaml file"
    )
    raise errors.UserMistake(f'unknown adapter "{safetext.for_terminal(named, 60)}"; {hint}')


@cache
def shipped_adapters() -> Mapping[str, Path]:
    """The files of the bundled adapters by name."""
    return {path.stem: path for path in sorted(SHIPPED.glob("*.yaml"))}


def load_adapter(path: Path) -> EndpointAdapter:
    """Read and check an adapter. Raises ConfigError."""
    document = parse_document(path, limits.MAX_ADAPTER_BYTES)
    _TOP.check(document, document.value, ())
    for key in ("name", "finds", "ids", "call"):
        if not document.value.get(key):
            raise document.mistake(f"{key} is missing; an adapter needs name, finds, ids and call")
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
    return EndpointAdapter(given["name"], about, given["finds"], given["ids"], steps, call, or_ids)


def _step(document: Document, given: Mapping[str, Any], at: KeyPath) -> AdapterStep:
    if not given or "role" not in given:
        raise document.mistake(f"{dotted(at)} needs a role: search, list or definition", at)
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
    return AdapterStep(_request(document, given, at, "call"), given["role"], answered, "unless" in given)


def _request(document: Document, given: Mapping[str, Any], at: KeyPath, key: str) -> RequestTemplate:
    if key not in given:
        raise document.mistake(f"{dotted(at)} needs {key}, the tool to call", at)
    Template().check(document, given[key], (*at, key))
    return RequestTemplate(given[key], given.get("arguments") or {})


def _answered(document: Document, given: Mapping[str, Any], at: KeyPath) -> AnswerFormat:
    ids_in = given.get("ids_in")
    key = "pattern" if ids_in == "lines" else "path"
    if ids_in is None or key not in given:
        raise document.mistake(f"{dotted(at)} needs ids_in, and path or pattern, to find the names", at)
    where, place = given[key], (*at, key)
    try:
        groups = re.compile(where).groups if key == "pattern" else bool(jmespath.compile(where))
    except (re.error, JMESPathError, RecursionError) as error:
        said = safetext.for_terminal(str(error).splitlines()[0], 120)
        raise document.mistake(f"{dotted(place)} cannot be used: {said}", place) from None
    if not groups:
        raise document.mistake(f"{dotted(place)} has no group; put the name into (…)", place)
    return AnswerFormat(ids_in, where)


def _check_way(document: Document, finds: str, steps: tuple[AdapterStep, ...]) -> None:
    """A search must come before any step that names a tool; an oracle must not search."""
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
            raise document.mistake(f"{{{early[0]}}} is not known before the search", ("steps", at))


def _check_unless(document: Document, steps: tuple[AdapterStep, ...]) -> None:
    """Refuse `unless: shown` without a search that answers in lines, because only lines show parameters."""
    lines = any(step.answered is not None and step.answered.ids_in == "lines" for step in steps)
    for at, step in enumerate(steps):
        if step.unless_shown and not lines:
            raise document.mistake(
                "unless: shown needs a search whose ids are in lines", ("steps", at, "unless")
            )
