"""Wire objects as servers send them → their digests; what is as it was locked is known by its bytes.

A digest takes 70 µs and a server may list thousands of tools at every look; sorted JSON and its hash take 8.
"""

from collections.abc import Iterable, Mapping, Sequence
from hashlib import blake2b

import orjson

from toolbooth.catalog import Json
from toolbooth.contracts import ToolContract, digest_of, wire_without


def known_digests(contracts: Iterable[ToolContract]) -> dict[bytes, str]:
    """Of locked definitions; takes as long as making all their digests."""
    marked = ((_mark(contract.wire), contract.digest) for contract in contracts)
    return {mark: digest for mark, digest in marked if mark is not None}


class LiveDigests:
    """Of one server's tools; `secrets` are taken out as they were before the lock was written."""

    def __init__(self, secrets: Sequence[str]) -> None:
        self._secrets = secrets
        self._quoted = [orjson.dumps(secret)[1:-1] for secret in secrets if _is_text(secret)]
        self._last: dict[bytes, str] = {}

    def of(self, wires: Mapping[str, Json], known: Mapping[bytes, str]) -> dict[str, str]:
        """By the names of the tools; those of the last look are remembered, and no others."""
        seen: dict[bytes, str] = {}
        digests = {name: self._digest(wire, known, seen) for name, wire in wires.items()}
        self._last = seen
        return digests

    def without_secrets(self, wire: Json) -> Json:
        """As it would stand in a lock."""
        return wire_without(wire, self._secrets)

    def _digest(self, wire: Json, known: Mapping[bytes, str], seen: dict[bytes, str]) -> str:
        mark = _mark(wire, self._quoted)
        if mark is None:
            return digest_of(self.without_secrets(wire))
        digest = known.get(mark) or self._last.get(mark) or digest_of(wire)
        seen[mark] = digest
        return digest


def _mark(wire: Json, quoted: Sequence[bytes] = ()) -> bytes | None:
    """The same for the same JSON value alone; None where there is none, or a secret stands in it."""
    try:
        data = orjson.dumps(wire, option=orjson.OPT_SORT_KEYS)
    except TypeError:  # an integer over 64 bits, half a character
        return None
    if any(each in data for each in quoted):
        return None
    return blake2b(data, digest_size=32).digest()


def _is_text(secret: str) -> bool:
    """Half a character is in no wire object that has a mark."""
    return secret.isascii() or not any("\ud800" <= character <= "\udfff" for character in secret)
