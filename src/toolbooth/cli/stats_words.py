"""Numbers of the ledger → the words that stand in its tables."""

from datetime import datetime
from decimal import Decimal

from toolbooth.cli.doctor_words import dollars, number
from toolbooth.gateway.ledger.reader import Sizes

_KINDS = {
    "discovery": "searches",
    "read": "reading back",
    "servers": "managing servers",
}


def signed(value: int) -> str:
    """A number that may be negative."""
    return number(value) if value >= 0 else f"−{number(-value)}"


def signed_dollars(amount: Decimal) -> str:
    """The same in dollars."""
    return dollars(amount) if amount >= 0 else f"−{dollars(-amount)}"


def share(percent: float) -> str:
    """A percentage as the ledger has it."""
    return f"{percent:.1f}%".replace("-", "−")


def less_words(sizes: Sizes) -> str:
    """By how much what a client got is less than what was sent, or more."""
    if not sizes.tokens_before:
        return "of our own; no server sent any" if sizes.tokens_after else ""
    if not sizes.saved_tokens:
        return "unchanged"
    return f"{share(abs(sizes.percent))} {'less' if sizes.saved_tokens > 0 else 'more'}"


def took(ms: float | None) -> str:
    """Milliseconds with as many digits as tell something; nothing where there is no time."""
    if ms is None:
        return ""
    if ms >= 10_000:
        return f"{ms / 1000:,.1f} s"
    return f"{ms:,.0f} ms" if ms >= 10 else f"{ms:.1f} ms"


def when(at: float) -> str:
    """A moment on this machine's clock."""
    return datetime.fromtimestamp(at).astimezone().strftime("%Y-%m-%d %H:%M")


def kind_words(kind: str) -> str:
    """What our own tools were used for."""
    return _KINDS.get(kind, kind)
