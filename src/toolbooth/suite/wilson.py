"""Successes of so many tries → the Wilson interval of their rate."""

from math import sqrt
from typing import NamedTuple

Z95 = 1.959963984540054


class Rate(NamedTuple):
    """`of` tries, `hits` of them well; bounds of 95 % as shares of one."""

    hits: int
    of: int
    low: float
    high: float


def wilson(hits: int, of: int, z: float = Z95) -> Rate:
    """Unlike the usual interval it is right for few tries and at 0 and 100 %; of no tries nothing is known."""
    if not of:
        return Rate(0, 0, 0.0, 1.0)
    share, square = hits / of, z * z
    middle = (share + square / (2 * of)) / (1 + square / of)
    half = z * sqrt(share * (1 - share) / of + square / (4 * of * of)) / (1 + square / of)
    low = 0.0 if hits == 0 else max(0.0, middle - half)
    high = 1.0 if hits == of else min(1.0, middle + half)
    return Rate(hits, of, low, high)
