"""The weight of tools in tokens, by one counting rule: per tool, per part and in total."""

from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from toolbooth import catalog, limits
from toolbooth.tokens.counting import DEFAULT_ENCODING, count


@dataclass(frozen=True)
class Weight:
    """What one tool costs on every model call. The three parts add up to `tokens`."""

    id: str
    tokens: int
    name: int
    description: int
    schema: int


@dataclass(frozen=True)
class Weights:
    """The cost of a whole surface: tools are counted one by one and summed, without an envelope."""

    encoding: str
    tools: tuple[Weight, ...]

    @property
    def total_tokens(self) -> int:
        """Sum over all tools."""
        return sum(weight.tokens for weight in self.tools)

    def __iter__(self) -> Iterator[Weight]:
        return iter(self.tools)

    def __len__(self) -> int:
        return len(self.tools)


def weigh(tools: Iterable[catalog.Tool | Mapping[str, Any]], encoding: str = DEFAULT_ENCODING) -> Weights:
    """Weigh `Tool` objects, or plain `tools/list` entries, in the order given."""
    read = (tool if isinstance(tool, catalog.Tool) else catalog.Tool.from_raw("", tool) for tool in tools)
    return Weights(encoding, tuple(Weight(tool.id, *_parts(tool, encoding)) for tool in read))


class _Parts(NamedTuple):
    tokens: int
    name: int
    description: int
    schema: int


_weighed: OrderedDict[tuple[bytes, str], _Parts] = OrderedDict()


def _parts(tool: catalog.Tool, encoding: str) -> _Parts:
    key = (tool.digest, encoding)
    known = _weighed.get(key)
    if known is None:
        known = _weighed[key] = _count_parts(tool, encoding)
        if len(_weighed) > limits.COUNT_CACHE_ENTRIES:
            _weighed.popitem(last=False)
    return known


def _count_parts(tool: catalog.Tool, encoding: str) -> _Parts:
    # A part counts what its text adds to the text before it, so that the parts add up to the whole.
    name = count(tool.name, encoding)
    described = count(f"{tool.name}\n{tool.description}", encoding)
    total = count(tool.definition, encoding)
    return _Parts(total, name, described - name, total - described)
