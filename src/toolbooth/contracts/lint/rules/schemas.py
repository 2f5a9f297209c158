"""Lint of schemas and annotations: noise, output described in words only, missing or contradicting hints."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from toolbooth import economics, limits
from toolbooth.contracts.finding import Level
from toolbooth.contracts.lint.rule import LintFault, WeighedTool, tool_rule
from toolbooth.contracts.words import word_set, words_of

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
