"""Requests with a wrong key: noted at a bounded rate, and answered more slowly to an address that goes on."""

import ipaddress
import time
from collections import OrderedDict
from collections.abc import Callable

from toolbooth.limits import (
    LOGIN_DELAY,
    LOGIN_FREE,
    LOGIN_MEMORY,
    LOGIN_NOTE_EVERY,
    MAX_LOGIN_ADDRESSES,
    MAX_LOGIN_DELAY,
)

Note = Callable[[str], None]


class Logins:
    """Who shows the right key is never slowed, wherever it comes from."""

    def __init__(self, note: Note, clock: Callable[[], float] = time.monotonic) -> None:
        self._note, self._clock = note, clock
        self._failures: OrderedDict[str, tuple[int, float]] = OrderedDict()
        self._unsaid = 0
        self._quiet_until = float("-inf")

    def failed(self, address: str) -> float:
        """A wrong key came from this address; gives back the seconds that the answer waits."""
        now, who = self._clock(), network_of(address)
        count, last = self._failures.pop(who, (0, now))
        count = 1 if now - last > LOGIN_MEMORY else count + 1
        self._failures[who] = (count, now)
        if len(self._failures) > MAX_LOGIN_ADDRESSES:
            self._failures.popitem(last=False)
        self._tell(address, now)
        doublings = min(count - LOGIN_FREE, 16)
        return 0.0 if doublings <= 0 else min(LOGIN_DELAY * 2.0 ** (doublings - 1), MAX_LOGIN_DELAY)

    def _tell(self, address: str, now: float) -> None:
        self._unsaid += 1
        if now >= self._quiet_until:
            several = f" ({self._unsaid} since the last such line)" if self._unsaid > 1 else ""
            self._note(f"a request with a wrong key was refused, from {address}{several}")
            self._unsaid, self._quiet_until = 0, now + LOGIN_NOTE_EVERY


def network_of(address: str) -> str:
    """Whose an address is: one user of IPv6 has 2⁶⁴ of them."""
    try:
        known = ipaddress.ip_address(address)
    except ValueError:
        return address
    if known.version == 4 or known.ipv4_mapped:
        return str(known)
    return str(ipaddress.ip_network((known, 64), strict=False))
