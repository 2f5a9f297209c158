"""Lint of descriptions: too little for the schema, too much for the reader, or the same in many tools."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import Final

from toolbooth import figures, limits
from toolbooth.contracts.finding import Level
from toolbooth.contracts.lint.rule import LintFault, WeighedServer, WeighedTool, server_rule, tool_rule
from toolbooth.contracts.lint.rules.schemas import inputs_of
from toolbooth.contracts.words import content_words, sentences
from toolbooth.tokens import count

TYPICAL: Final = 13  # tokens of the median description of the 2,994 tools of 114 public servers
LONG: Final = 700  # tokens; one in a hundred of those tools has a longer description
_FEW_WORDS: Final = 3
_MANY_INPUTS: Final = 4
_SHORTEST_REPEAT: Final = 25  # characters: a shorter line may stand twice in two examples
_LEAST_REPEATED: Final = 10  # tokens


@tool_rule(
    "no-description",
    Level.LOW,
    "A model chooses by what it reads; without a description it guesses from the name.",
)
def no_description(weighed: WeighedTool) -> Iterator[LintFault]:
    if not weighed.tool.description.strip():
        yield LintFault(
            Level.LOW,
            "/description",
            f"no description; a typical one takes about {TYPICAL} tokens",
            "",
            -TYPICAL,
        )


@tool_rule(
    "description-repeats-name",
    Level.NOTE,
    "A description that only repeats the name costs tokens and adds nothing.",
)
def description_repeats_name(weighed: WeighedTool) -> Iterator[LintFault]:
    tool = weighed.tool
    said = content_words(tool.description)
    if said and said <= content_words(tool.name) | content_words(tool.server):
        tokens = weighed.weight.description
        yield LintFault(
            Level.NOTE,
            "/description",
            "it says no more than the name",
            tool.description[: limits.SCAN_EVIDENCE],
            tokens,
        )


@tool_rule(
    "short-description",
    Level.NOTE,
    "With many unexplained inputs and few words, a model cannot tell when to call the tool, or with what.",
)
def short_description(weighed: WeighedTool) -> Iterator[LintFault]:
    tool = weighed.tool
    new = content_words(tool.description) - content_words(tool.name) - content_words(tool.server)
    inputs = list(inputs_of(tool))
    bare = [each for each in inputs if not each.description]
    if 0 < len(new) < _FEW_WORDS and len(inputs) >= _MANY_INPUTS and len(bare) * 2 >= len(inputs):
        found = figures.counted(len(new), "informative word")
        words = f"{found} for {len(inputs)} inputs; a typical description takes {TYPICAL} tokens"
        yield LintFault(Level.NOTE, "/description", words, tool.description[: limits.SCAN_EVIDENCE], -TYPICAL)


@tool_rule(
    "long-description", Level.NOTE, "The model reads it on every call, whether it uses the tool or not."
)
def long_description(weighed: WeighedTool) -> Iterator[LintFault]:
    tokens = weighed.weight.description
    if tokens > LONG:
        words = f"{tokens:,} tokens; 99 of 100 public tools stay below {LONG}"
        yield LintFault(
            Level.NOTE, "/description", words, weighed.tool.description[: limits.SCAN_EVIDENCE], tokens - LONG
        )


@tool_rule("repeats-itself", Level.LOW, "A sentence that occurs twice in a description is paid for twice.")
def repeats_itself(weighed: WeighedTool) -> Iterator[LintFault]:
    text = weighed.tool.description
    times = Counter(part for part in sentences(text) if len(part) >= _SHORTEST_REPEAT)
    again = [part for part, number in times.items() for _ in range(number - 1)]
    if not again:
        return
    saved = sum(weighed.tokens(part) for part in again)
    if saved >= _LEAST_REPEATED:
        yield LintFault(
            Level.LOW,
            "/description",
            f"{figures.counted(len(again), 'repeated sentence')}",
            again[0][: limits.SCAN_EVIDENCE],
            saved,
        )


_FEWEST_TOOLS: Final = 3
_SHORTEST: Final = 40  # characters: `Returns a list of items.` is no boilerplate
_LEAST_SHARED: Final = 50  # tokens


@server_rule(
    "boilerplate",
    Level.LOW,
    "A text that many tools of a server repeat belongs in the server's instructions, where it is paid for once.",
)
def boilerplate(server: WeighedServer) -> Iterator[LintFault]:
    for tools, parts in _shared(server).items():
        tokens = sum(count(part, server.encoding) for part in parts)
        saved = tokens * (len(tools) - 1)
        if saved >= _LEAST_SHARED:
            words = f"the same {tokens} tokens occur in the descriptions of {len(tools)} tools"
            yield LintFault(Level.LOW, "/tools", words, " ".join(parts)[: limits.SCAN_EVIDENCE], saved)


def _shared(server: WeighedServer) -> dict[tuple[str, ...], Sequence[str]]:
    """Sentences by the tools that have them."""
    bearers: dict[str, dict[str, None]] = defaultdict(dict)
    for each in server.tools:
        for part in sentences(each.tool.description):
            if len(part) >= _SHORTEST:
                bearers[part][each.tool.name] = None
    together: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for part, names in bearers.items():
        if len(names) >= _FEWEST_TOOLS:
            together[tuple(names)].append(part)
    return dict(together)
