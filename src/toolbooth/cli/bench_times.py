"""Milliseconds and sizes of a benchmark → words with as many digits as tell something."""


def took(ms: float) -> str:
    """Three digits: 0.052 ms, 0.36 ms, 12.3 ms, 803 ms, 12.3 s."""
    if ms >= 10_000:
        return f"{ms / 1000:,.1f} s"
    if ms >= 100:
        return f"{ms:,.0f} ms"
    if ms >= 10:
        return f"{ms:.1f} ms"
    return f"{ms:.2f} ms" if ms >= 0.1 else f"{ms:.3f} ms"


def times_as_long(ratio: float | None) -> str:
    """A ratio; nothing where there is none."""
    if ratio is None:
        return ""
    return f"× {ratio:.2f}" if ratio >= 0.1 else f"× {ratio:.3f}"
