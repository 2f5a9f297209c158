"""The profile of one answer: the blocks of text in it, their tokens, its overhead, and an advisory."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, Self

from toolbooth import catalog
from toolbooth.economics.risk import DEFAULT_THRESHOLDS, Risk, Thresholds, check_bound, estimate

MOST_OVERHEAD: Final = 0.3

Block = Mapping[str, Any]


class Advisory(str):
    """The id of an advisory, with its sentence as `message`."""

    __slots__ = ("message",)
    message: str

    def __new__(cls, rule: str, message: str) -> Self:
        made = super().__new__(cls, rule)
        made.message = message
        return made

    @property
    def rule(self) -> str:
        """The id of the rule."""
        return str(self)


@dataclass(frozen=True)
class BlockProfile:
    """One block: its type as sent, its tokens, and whether it counts as overhead."""

    type: str
    tokens: int
    overhead: bool


@dataclass(frozen=True)
class ResponseProfile:
    """What one answer cost. `overhead_ratio` is None if there is overhead but no data."""

    tool_name: str
    action: str | None
    blocks: tuple[BlockProfile, ...]
    overhead_tokens: int
    data_tokens: int
    overhead_ratio: float | None
    risk: Risk
    advisory: Advisory | None = None

    @property
    def estimated_tokens(self) -> int:
        """The tokens of overhead and data together."""
        return self.overhead_tokens + self.data_tokens


class _Sums(NamedTuple):
    overhead: int
    data: int
    ratio: float | None
    risk: Risk


def _too_much_overhead(sums: _Sums) -> bool:
    return sums.ratio is None or sums.ratio > MOST_OVERHEAD


ADVISORIES: Final[tuple[tuple[str, Callable[[_Sums], bool], str], ...]] = (
    (
        "overload",
        lambda sums: sums.risk is Risk.CRITICAL,
        "This answer of {tokens} tokens floods the context: set `max_bytes` for {tool} in toolbooth.yaml.",
    ),
    (
        "density",
        lambda sums: sums.risk is Risk.HIGH,
        "This answer of {tokens} tokens crowds the context: set `limit` or `max_bytes` for {tool}.",
    ),
    (
        "overhead",
        _too_much_overhead,
        "{overhead} of {tokens} tokens in this answer are overhead: shorten what {tool} puts before its data.",
    ),
)


def profile_response(
    tool: str,
    action: str | None,
    blocks: Iterable[Block],
    overhead_blocks: int = 0,
    count: Callable[[str], int] | None = None,
    thresholds: Thresholds = DEFAULT_THRESHOLDS,
) -> ResponseProfile:
    """Measure an answer whose first `overhead_blocks` blocks are overhead. With a tokenizer as `count`, it is exact."""
    check_bound("overhead_blocks", overhead_blocks)
    measured = tuple(
        BlockProfile(str(block.get("type", "")), _tokens(block, count), index < overhead_blocks)
        for index, block in enumerate(blocks)
    )
    sums = _sums(measured, thresholds)
    return ResponseProfile(
        tool, action, measured, sums.overhead, sums.data, sums.ratio, sums.risk, _advisory(tool, sums)
    )


def _tokens(block: Block, count: Callable[[str], int] | None) -> int:
    text = catalog.block_text(block) or ""
    return count(text) if count else estimate(len(text))


def _sums(blocks: tuple[BlockProfile, ...], thresholds: Thresholds) -> _Sums:
    overhead = sum(block.tokens for block in blocks if block.overhead)
    data = sum(block.tokens for block in blocks if not block.overhead)
    ratio = overhead / data if data else (None if overhead else 0.0)
    return _Sums(overhead, data, ratio, thresholds.risk(overhead + data))


def _advisory(tool: str, sums: _Sums) -> Advisory | None:
    for rule, applies, message in ADVISORIES:
        if applies(sums):
            tokens = sums.overhead + sums.data
            return Advisory(rule, message.format(tool=tool, tokens=tokens, overhead=sums.overhead))
    return None


_MUCH_MORE: Final = 2  # times: indented JSON is up to twice as long as compact JSON


def answer_blocks(result: Mapping[str, Any]) -> list[Block]:
    """The texts of a result and of its embedded resources. Pictures and sound are not priced as text."""
    structure = result.get("structuredContent")
    structured = "" if structure is None else catalog.canonical(structure)
    return with_structure(list(filter(None, catalog.texts_in(result))), structured)


def with_structure(texts: Sequence[str], structure: str) -> list[Block]:
    """Add the structured content if it is much longer than the texts. Usually it only repeats them."""
    more = structure not in ("", "null") and len(structure) > _MUCH_MORE * sum(map(len, texts))
    return [text_block(text) for text in ([*texts, structure] if more else texts)]


def text_block(text: str) -> Block:
    """A text as a block of a result."""
    return {"type": "text", "text": text}
