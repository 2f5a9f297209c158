"""Lint of schemas and annotations: unexplained inputs, choices written twice, noise, missing or contradicting hints."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import pairwise
from typing import Final, NamedTuple

from toolbooth import catalog, economics, limits
from toolbooth.contracts.finding import Level
from toolbooth.contracts.lint.rule import LintFault, WeighedTool, tool_rule
from toolbooth.contracts.words import word_set, words_of
from toolbooth.schema import pointer, properties_of, required_by, resolved

_LEAST_SAVED: Final = 5  # tokens
_MUCH: Final = 0.1  # of the tool's tokens
_MOST_KINDS: Final = 4
_STRUCTURED: Final = re.compile(
    r"\breturns?\b.{0,30}?\b(?:json|object|dict|dictionary)\b.{0,40}?\b(?:with|containing|including|fields)\b",
    re.IGNORECASE,
)


@tool_rule(
    "schema-noise",
    Level.LOW,
    "Generated titles and empty keywords carry no information and are read on every call.",
)
def schema_noise(weighed: WeighedTool) -> Iterator[LintFault]:
    tool = weighed.tool
    if not tool.input_schema:
        return
    result = economics.slimmed(tool.input_schema, tool.name)
    if not result.noise:
        return
    saved = weighed.weight.tokens - weighed.tokens(replace(tool, input_schema=result.schema).definition)
    if saved >= _LEAST_SAVED:
        kinds = Counter(each.kind for each in result.noise).most_common(_MOST_KINDS)
        words = ", ".join(f"{kind} {times}" for kind, times in kinds)
        level = Level.LOW if saved >= _MUCH * weighed.weight.tokens else Level.NOTE
        yield LintFault(level, "/inputSchema", "the schema could say the same in fewer tokens", words, saved)


@tool_rule(
    "no-output-schema",
    Level.NOTE,
    "An answer whose fields are described only in prose cannot be checked or cut.",
)
def no_output_schema(weighed: WeighedTool) -> Iterator[LintFault]:
    tool = weighed.tool
    found = _STRUCTURED.search(tool.description) if tool.output_schema is None else None
    if found:
        yield LintFault(
            Level.NOTE,
            "/outputSchema",
            "the fields of its answer are described only in prose",
            found[0][: limits.SCAN_EVIDENCE],
        )


_DESTROYS: Final = word_set("delete drop destroy erase purge wipe truncate")


@tool_rule(
    "destructive-without-hint",
    Level.LOW,
    "A host that asks before destructive calls can only ask where a tool declares them.",
)
def destructive_without_hint(weighed: WeighedTool) -> Iterator[LintFault]:
    annotations = weighed.tool.annotations or {}
    reported = isinstance(annotations.get("destructiveHint"), bool) or annotations.get("readOnlyHint") is True
    if not reported and not _DESTROYS.isdisjoint(words_of(weighed.tool.name)[:2]):
        yield LintFault(
            Level.LOW, "/annotations", "it is destructive and has no destructiveHint", weighed.tool.name
        )


@tool_rule(
    "contradicting-hints",
    Level.LOW,
    "A read-only tool cannot be destructive; hosts differ in which hint they believe.",
)
def contradicting_hints(weighed: WeighedTool) -> Iterator[LintFault]:
    annotations = weighed.tool.annotations or {}
    if annotations.get("readOnlyHint") is True and annotations.get("destructiveHint") is True:
        yield LintFault(Level.LOW, "/annotations", "readOnlyHint and destructiveHint are both true")


class Input(NamedTuple):
    """One property at the top of the input schema."""

    name: str
    schema: catalog.Json
    required: bool

    @property
    def path(self) -> str:
        """Its JSON pointer in the raw object."""
        return pointer(("inputSchema", "properties", self.name))

    @property
    def description(self) -> str:
        """What is said of it, nothing where that is no text."""
        text = self.schema.get("description")
        return text.strip() if isinstance(text, str) else ""


def inputs_of(tool: catalog.Tool) -> Iterator[Input]:
    """Every input; one that refers to a definition has the description of that, unless it has its own."""
    schema = tool.input_schema or {}
    required = frozenset(required_by(schema))
    for name, inner in properties_of(schema).items():
        if isinstance(inner, Mapping):
            yield Input(name, _whole(inner, schema), name in required)


def _whole(inner: catalog.Json, root: catalog.Json) -> catalog.Json:
    target = resolved(root, inner)
    return {**target, **inner} if isinstance(target, Mapping) else inner


TYPICAL: Final = 12  # tokens of the median description of an input of the 2,994 tools of 114 public servers
_MOST_NAMED: Final = 6
_FEWEST_CHOICES: Final = 3
_MOST_CHOICES: Final = 60  # nobody writes more of them into a text
_NAME: Final = re.compile(r"[\w-]+")
_SEPARATOR: Final = re.compile(r"[\s,;|/'\"`·、，]{1,8}(?:(?:or|and)[\s'\"`]{1,4})?")
# Names that say all there is to say: `url`, `query`.
_CLEAR: Final = word_set(
    "url query limit offset page cursor path name title email id text message timezone language page_size per_page"
)


@tool_rule(
    "inputs-without-description",
    Level.LOW,
    "A model must guess the value from the name alone, and a wrong value costs a whole call.",
)
def inputs_without_description(weighed: WeighedTool) -> Iterator[LintFault]:
    tool = weighed.tool
    inputs = list(inputs_of(tool))
    said = frozenset(_NAME.findall(tool.description)) if inputs else frozenset()
    bare = [each for each in inputs if not each.description and not _is_explained(each, said)]
    if bare:
        level = Level.LOW if any(each.required for each in bare) else Level.NOTE
        names = ", ".join(each.name for each in bare[:_MOST_NAMED]) + ("…" if len(bare) > _MOST_NAMED else "")
        words = f"{len(bare)} of {len(inputs)} inputs without description; a typical one takes about {TYPICAL} tokens"
        yield LintFault(level, "/inputSchema/properties", words, names, -TYPICAL * len(bare))


def _is_explained(each: Input, said: frozenset[str]) -> bool:
    """By its plain name, by its choices, or where the tool's description speaks of it: `limit: most rows`."""
    if each.name in _CLEAR or "enum" in each.schema or "const" in each.schema:
        return True
    return each.name in said


@tool_rule(
    "choices-written-twice",
    Level.NOTE,
    "The enum is already in the schema; the same list in the text is paid for again.",
)
def choices_written_twice(weighed: WeighedTool) -> Iterator[LintFault]:
    for each in inputs_of(weighed.tool):
        listed = _list_in(each)
        if listed:
            rest = each.description.replace(listed, "")
            saved = weighed.tokens(each.description) - weighed.tokens(rest)
            yield LintFault(
                Level.NOTE,
                f"{each.path}/description",
                "the schema already lists these choices",
                listed[: limits.SCAN_EVIDENCE],
                saved,
            )


def _list_in(each: Input) -> str:
    """The part of a description that lists all choices and says no more."""
    choices = each.schema.get("enum")
    if not isinstance(choices, list) or not _FEWEST_CHOICES <= len(choices) <= _MOST_CHOICES:
        return ""
    texts = [choice for choice in choices if isinstance(choice, str) and choice]
    places = sorted((_place(choice, each.description), choice) for choice in texts)
    if len(texts) < len(choices) or places[0][0] < 0:
        return ""
    for (start, choice), (after, _) in pairwise(places):
        if not _SEPARATOR.fullmatch(each.description[start + len(choice) : after]):
            return ""
    return each.description[places[0][0] : places[-1][0] + len(places[-1][1])]


def _place(choice: str, text: str) -> int:
    found = re.search(rf"(?<!\w){re.escape(choice)}(?!\w)", text)
    return found.start() if found else -1
