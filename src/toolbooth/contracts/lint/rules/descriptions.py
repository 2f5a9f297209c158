"""A tool's description → whether it says enough for its schema, and no more than it has to say."""

from collections import Counter
from collections.abc import Iterator
from typing import Final

from toolbooth.contracts.counted import counted
from toolbooth.contracts.finding import Level
from toolbooth.contracts.lint.inputs import inputs_of
from toolbooth.contracts.lint.rule import Fault, Weighed, tool_rule
from toolbooth.contracts.lint.telling import sentences, telling
from toolbooth.limits import SCAN_EVIDENCE

TYPICAL: Final = 13  # tokens of the median description of the 2,994 tools of 114 public servers
LONG: Final = 700  # tokens; one in a hundred of those tools has a longer description
_FEW_WORDS: Final = 3
_MANY_INPUTS: Final = 4
_SHORTEST_REPEAT: Final = 25  # characters: a shorter line may stand twice in two examples
_LEAST_SAVED: Final = 10  # tokens


@tool_rule(
    "no-description",
    Level.LOW,
    "A model chooses by what it reads; without a description it guesses from the name.",
)
def no_description(weighed: Weighed) -> Iterator[Fault]:
    if not weighed.tool.description.strip():
        yield Fault(
            Level.LOW,
            "/description",
            f"no description; a usual one costs about {TYPICAL} tokens",
            "",
            -TYPICAL,
        )


@tool_rule(
    "description-repeats-name",
    Level.NOTE,
    "A description of the name's own words costs tokens and tells nothing.",
)
def description_repeats_name(weighed: Weighed) -> Iterator[Fault]:
    tool = weighed.tool
    said = telling(tool.description)
    if said and said <= telling(tool.name) | telling(tool.server):
        tokens = weighed.weight.description
        yield Fault(
            Level.NOTE,
            "/description",
            "it says no more than the name",
            tool.description[:SCAN_EVIDENCE],
            tokens,
        )


@tool_rule(
    "short-description",
    Level.NOTE,
    "Many inputs, few of them explained, and few words: a model cannot tell when to call it, or with what.",
)
def short_description(weighed: Weighed) -> Iterator[Fault]:
    tool = weighed.tool
    new = telling(tool.description) - telling(tool.name) - telling(tool.server)
    inputs = list(inputs_of(tool))
    bare = [each for each in inputs if not each.description]
    if 0 < len(new) < _FEW_WORDS and len(inputs) >= _MANY_INPUTS and len(bare) * 2 >= len(inputs):
        words = (
            f"{counted(len(new), 'telling word')} for {len(inputs)} inputs; a usual one costs about {TYPICAL}"
        )
        yield Fault(Level.NOTE, "/description", words, tool.description[:SCAN_EVIDENCE], -TYPICAL)


@tool_rule(
    "long-description", Level.NOTE, "It is read on every call of the model, whether the tool is used or not."
)
def long_description(weighed: Weighed) -> Iterator[Fault]:
    tokens = weighed.weight.description
    if tokens > LONG:
        words = f"{tokens:,} tokens; 99 of 100 public tools stay below {LONG}"
        yield Fault(
            Level.NOTE, "/description", words, weighed.tool.description[:SCAN_EVIDENCE], tokens - LONG
        )


@tool_rule("repeats-itself", Level.LOW, "What stands in a description twice is paid twice.")
def repeats_itself(weighed: Weighed) -> Iterator[Fault]:
    text = weighed.tool.description
    times = Counter(part for part in sentences(text) if len(part) >= _SHORTEST_REPEAT)
    again = [part for part, number in times.items() for _ in range(number - 1)]
    if not again:
        return
    saved = sum(weighed.tokens(part) for part in again)
    if saved >= _LEAST_SAVED:
        yield Fault(
            Level.LOW,
            "/description",
            f"{counted(len(again), 'sentence')} once more",
            again[0][:SCAN_EVIDENCE],
            saved,
        )
