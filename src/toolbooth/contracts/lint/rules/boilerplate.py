"""A server's descriptions → sentences that stand in many of them and could stand once."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Final

from toolbooth.contracts.finding import Level
from toolbooth.contracts.lint.rule import Fault, WeighedServer, server_rule
from toolbooth.contracts.lint.telling import sentences
from toolbooth.limits import SCAN_EVIDENCE
from toolbooth.tokens import count

_FEWEST_TOOLS: Final = 3
_SHORTEST: Final = 40  # characters: `Returns a list of items.` is no boilerplate
_LEAST_SAVED: Final = 50  # tokens


@server_rule(
    "boilerplate",
    Level.LOW,
    "What every tool of a server says belongs into its instructions, where it is paid once.",
)
def boilerplate(server: WeighedServer) -> Iterator[Fault]:
    for tools, parts in _shared(server).items():
        tokens = sum(count(part, server.encoding) for part in parts)
        saved = tokens * (len(tools) - 1)
        if saved >= _LEAST_SAVED:
            words = f"{tokens} tokens stand in the descriptions of {len(tools)} tools"
            yield Fault(Level.LOW, "/tools", words, " ".join(parts)[:SCAN_EVIDENCE], saved)


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
