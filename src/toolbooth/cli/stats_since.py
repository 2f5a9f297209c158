"""`24h`, `7d`, a date or a time → a moment of the epoch."""

import re
import time
from argparse import ArgumentTypeError
from datetime import datetime
from typing import Final

_SECONDS: Final = {"s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 7 * 86_400}
_AGO: Final = re.compile(r"(\d{1,6})([smhdw])")


def since(text: str) -> float:
    """A time without a zone is one of this machine."""
    ago = _AGO.fullmatch(text.strip().lower())
    if ago:
        return time.time() - int(ago[1]) * _SECONDS[ago[2]]
    try:
        return datetime.fromisoformat(text.strip()).timestamp()
    except (ValueError, OverflowError, OSError):
        raise ArgumentTypeError(
            f"{text!r} is no time, as in 24h, 7d, 2026-11-01 or 2026-11-01T09:30"
        ) from None
