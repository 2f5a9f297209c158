"""Risk tiers of answers, by their size in tokens."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from toolbooth import errors


class Risk(StrEnum):
    """How much of the context an answer may fill, in rising order."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"
    CRITICAL = "critical"

    @property
    def rank(self) -> int:
        """0 for low up to 3 for critical."""
        return list(Risk).index(self)

    # The order of str would put `critical` before `low`.
    def __lt__(self, other: str) -> bool:
        return self.rank < Risk(other).rank

    def __le__(self, other: str) -> bool:
        return self.rank <= Risk(other).rank

    def __gt__(self, other: str) -> bool:
        return self.rank > Risk(other).rank

    def __ge__(self, other: str) -> bool:
        return self.rank >= Risk(other).rank


@dataclass(frozen=True)
class Thresholds:
    """The most tokens of each tier. More than `high` is critical."""

    low: int = 1000
    medium: int = 4000
    high: int = 8000

    def __post_init__(self) -> None:
        if not 0 <= self.low < self.medium < self.high:
            given = f"low {self.low}, medium {self.medium}, high {self.high}"
            raise errors.InvalidBound(f"thresholds must be 0 or more and rising; {given}")

    def risk(self, tokens: int) -> Risk:
        """The tier of an answer of that many tokens."""
        ceilings = ((self.low, Risk.LOW), (self.medium, Risk.MEDIUM), (self.high, Risk.HIGH))
        return next((risk for ceiling, risk in ceilings if tokens <= ceiling), Risk.CRITICAL)


DEFAULT_THRESHOLDS: Final = Thresholds()


def estimate(size: int) -> int:
    """Estimate the tokens of `size` characters or bytes at 3.5 for each token, rounded up."""
    return -(-2 * size // 7)


def check_bound(name: str, value: int | None) -> None:
    """Raise InvalidBound unless the value is None or a whole number of 0 or more."""
    if value is None:
        return
    if isinstance(value, bool) or not isinstance(value, int):
        raise errors.InvalidBound(f"{name} is {value!r}; a bound must be a whole number")
    if value < 0:
        raise errors.InvalidBound(f"{name} is {value}; a bound must be 0 or more")
