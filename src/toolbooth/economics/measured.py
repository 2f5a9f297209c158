"""The measured size of real answers: median, 95th percentile, worst, risk and overhead."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Any, Literal

from toolbooth import tokens
from toolbooth.economics.response import Advisory, Block, ResponseProfile, answer_blocks, profile_response
from toolbooth.economics.risk import DEFAULT_THRESHOLDS, Risk, Thresholds

Origin = Literal["ledger", "recorded", "traces"]
Pairs = Sequence[tuple[int, int]]
"""Tokens of an answer, and the number of answers with exactly that many."""


@dataclass(frozen=True)
class Overhead:
    """Leading blocks that every answer repeats. `ratio` is their tokens per token of data; None without data."""

    blocks: int
    ratio: float | None


@dataclass(frozen=True)
class Measured:
    """Tokens of real answers as the server sent them, or, for `traces`, as a model received them.

    `worst_after` is the most that a client received. `overhead` is None if it cannot be known. Sizes are not `exact`
    if some of them were estimated from samples.
    """

    origin: Origin
    answers: int
    median: int
    p95: int
    worst: int
    risk: Risk
    worst_after: int | None = None
    overhead: Overhead | None = None
    advisory: Advisory | None = None
    exact: bool = True


def nearest_rank(pairs: Iterable[tuple[int, int]], percent: int) -> int:
    """The smallest size that at least `percent` of all do not exceed; 0 if there are none."""
    ordered = sorted(pairs)
    left = -(-sum(times for _, times in ordered) * percent // 100)
    for size, times in ordered:
        left -= times
        if left <= 0:
            return size
    return 0


def measured_sizes(
    origin: Origin,
    pairs: Pairs,
    thresholds: Thresholds = DEFAULT_THRESHOLDS,
    worst_after: int | None = None,
    *,
    exact: bool = True,
) -> Measured | None:
    """Measure from sizes alone, as a ledger has them; None without answers."""
    if not pairs:
        return None
    worst = max(size for size, _ in pairs)
    return Measured(
        origin,
        sum(times for _, times in pairs),
        nearest_rank(pairs, 50),
        nearest_rank(pairs, 95),
        worst,
        thresholds.risk(worst),
        worst_after,
        exact=exact,
    )


def measured_answers(
    origin: Origin,
    tool: str,
    results: Iterable[Mapping[str, Any]],
    thresholds: Thresholds = DEFAULT_THRESHOLDS,
    tokenizer: Callable[[str], int] = tokens.count,
) -> Measured | None:
    """Measure from the answers themselves, counting each exactly; None without answers."""
    answers = [answer_blocks(result) for result in results]
    if not answers:
        return None
    repeated = _repeated(answers)
    profiles = [
        profile_response(tool, None, blocks, repeated or 0, tokenizer, thresholds) for blocks in answers
    ]
    sizes = [profile.estimated_tokens for profile in profiles]
    worst = max(profiles, key=lambda profile: profile.estimated_tokens)
    return Measured(
        origin,
        len(sizes),
        nearest_rank(((size, 1) for size in sizes), 50),
        nearest_rank(((size, 1) for size in sizes), 95),
        worst.estimated_tokens,
        worst.risk,
        overhead=None if repeated is None else Overhead(repeated, _ratio(profiles)),
        advisory=worst.advisory,
    )


def _repeated(answers: Sequence[Sequence[Block]]) -> int | None:
    """The number of leading blocks that are the same in every answer; None if no two answers differ."""
    texts = {tuple(block["text"] for block in blocks) for blocks in answers}
    if len(texts) < 2:
        return None
    return sum(1 for _ in takewhile(lambda same: len(set(same)) == 1, zip(*texts, strict=False)))


def _ratio(profiles: Sequence[ResponseProfile]) -> float | None:
    overhead = sum(profile.overhead_tokens for profile in profiles)
    data = sum(profile.data_tokens for profile in profiles)
    return overhead / data if data else (None if overhead else 0.0)
