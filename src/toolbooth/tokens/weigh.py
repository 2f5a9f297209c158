"""Tools → tokens by the one counting rule, per tool, per part and in all."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from toolbooth.catalog import Tool, canonical
from toolbooth.tokens.encodings import DEFAULT_ENCODING, count


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
    """What a whole surface costs: tools are counted one by one and summed, with no envelope."""

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


def weigh(tools: Iterable[Tool | Mapping[str, Any]], encoding: str = DEFAULT_ENCODING) -> Weights:
    """Weigh `Tool` objects, or plain `tools/list` entries, in the order given."""
    read = (tool if isinstance(tool, Tool) else Tool.from_wire("", tool) for tool in tools)
    return Weights(encoding, tuple(_weigh_one(tool, encoding) for tool in read))


def _weigh_one(tool: Tool, encoding: str) -> Weight:
    # A part is what its text adds to the text before it, so that parts add up to the whole.
    name = count(tool.name, encoding)
    described = count(tool.name + "\n" + tool.description, encoding)
    total = count(definition_text(tool), encoding)
    return Weight(tool.id, total, name, described - name, total - described)


def definition_text(tool: Tool, schema: Mapping[str, Any] | None = None) -> str:
    """The text that is counted for a tool; `schema` replaces the tool's own (a slimmed one, for instance)."""
    schema = tool.input_schema if schema is None else schema
    head = tool.name + "\n" + tool.description
    return f"{head}\n{canonical(schema)}" if schema else head
