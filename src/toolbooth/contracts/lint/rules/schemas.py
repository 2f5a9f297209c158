"""A tool's schemas → noise that slimming takes out, and answers whose form is told in words only."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from toolbooth.contracts.finding import Level
from toolbooth.contracts.lint.rule import Fault, Weighed, tool_rule
from toolbooth.economics import slimmed
from toolbooth.limits import SCAN_EVIDENCE

_LEAST_SAVED: Final = 5  # tokens
_MUCH: Final = 0.1  # of the tool's tokens
_MOST_KINDS: Final = 4
_STRUCTURED: Final = re.compile(
    r"\breturns?\b.{0,30}?\b(?:json|object|dict|dictionary)\b.{0,40}?\b(?:with|containing|including|fields)\b",
    re.IGNORECASE,
)


@tool_rule(
    "schema-noise", Level.LOW, "Generated titles and empty keywords say nothing and are read on every call."
)
def schema_noise(weighed: Weighed) -> Iterator[Fault]:
    tool = weighed.tool
    if not tool.input_schema:
        return
    result = slimmed(tool.input_schema, tool.name)
    if not result.noise:
        return
    saved = weighed.weight.tokens - weighed.tokens(replace(tool, input_schema=result.schema).definition)
    if saved >= _LEAST_SAVED:
        kinds = Counter(each.kind for each in result.noise).most_common(_MOST_KINDS)
        words = ", ".join(f"{kind} {times}" for kind, times in kinds)
        level = Level.LOW if saved >= _MUCH * weighed.weight.tokens else Level.NOTE
        yield Fault(level, "/inputSchema", "the schema says the same in fewer tokens", words, saved)


@tool_rule(
    "no-output-schema",
    Level.NOTE,
    "An answer whose fields are promised in words only cannot be checked or cut.",
)
def no_output_schema(weighed: Weighed) -> Iterator[Fault]:
    tool = weighed.tool
    found = _STRUCTURED.search(tool.description) if tool.output_schema is None else None
    if found:
        yield Fault(
            Level.NOTE,
            "/outputSchema",
            "the fields of its answer are told in words only",
            found[0][:SCAN_EVIDENCE],
        )
