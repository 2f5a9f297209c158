"""All servers → tools of one server that bear, or nearly bear, the name of another's and are something else."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple

from toolbooth.catalog import Tool
from toolbooth.contracts.finding import Finding, Level
from toolbooth.contracts.scan.lookalikes import skeleton
from toolbooth.contracts.scan.rule import whole_rule
from toolbooth.contracts.served import Served

_SHORTEST_TYPO: Final = 8  # characters: shorter names differ by one letter by chance
_LONGEST_NAME: Final = 128  # characters: what the protocol advises


class _Named(NamedTuple):
    server: str
    tool: Tool


@whole_rule(
    "shadowed-name",
    Level.LOW,
    "Where two servers offer one name, a model may call the wrong one, and a server may mean to be called instead.",
)
def shadowed_name(servers: Sequence[Served]) -> Iterator[Finding]:
    for name, bearers in _by(servers, lambda tool: tool.name).items():
        first = bearers[0]
        several = len({bearer.server for bearer in bearers}) > 1
        if several and any(bearer.tool.digest != first.tool.digest for bearer in bearers):
            message = f"another tool of the same name is on {_others(first, bearers)}"
            yield Finding("shadowed-name", Level.LOW, first.server, name, "/name", message, name)


@whole_rule(
    "confusable-name",
    Level.HIGH,
    "A name that differs from another's only in letters that look alike was made to be taken for it.",
)
def confusable_name(servers: Sequence[Served]) -> Iterator[Finding]:
    for bearers in _by(servers, lambda tool: skeleton(tool.name)).values():
        for one in bearers:
            twins = [each for each in bearers if each.tool.name.lower() != one.tool.name.lower()]
            if twins:
                level = Level.HIGH if not one.tool.name.isascii() else Level.LOW
                twin = twins[0]
                message = f"it looks like `{twin.tool.name}` of {twin.server}, and is another name"
                yield Finding(
                    "confusable-name", level, one.server, one.tool.name, "/name", message, one.tool.name
                )


@whole_rule(
    "near-name",
    Level.LOW,
    "A name that is one slip away from another server's is what a model calls when it slips.",
)
def near_name(servers: Sequence[Served]) -> Iterator[Finding]:
    by_name = {name: bearers[0] for name, bearers in _by(servers, lambda tool: tool.name).items()}
    for one, bearer in by_name.items():
        for other in _slips(one):
            if other > one and other in by_name and by_name[other].server != bearer.server:
                message = f"one slip away from `{other}` of {by_name[other].server}"
                yield Finding("near-name", Level.LOW, bearer.server, one, "/name", message, one)


def _slips(name: str) -> Iterator[str]:
    """Two neighbouring letters swapped; another letter mostly makes another word: `get_block`, `get_clock`."""
    for at in range(len(name) - 1) if _SHORTEST_TYPO <= len(name) <= _LONGEST_NAME else ():
        pair = name[at : at + 2]
        if pair.isalpha() and pair[0] != pair[1]:
            yield name[:at] + pair[::-1] + name[at + 2 :]


def _by(servers: Sequence[Served], key: Callable[[Tool], str]) -> dict[str, list[_Named]]:
    found: dict[str, list[_Named]] = defaultdict(list)
    for served in servers:
        for tool in served.tools:
            found[key(tool)].append(_Named(served.server, tool))
    return found


def _others(first: _Named, bearers: Sequence[_Named]) -> str:
    servers = list(dict.fromkeys(each.server for each in bearers if each.server != first.server))
    more = f" and {len(servers) - 3} more" if len(servers) > 3 else ""
    return ", ".join(servers[:3]) + more
