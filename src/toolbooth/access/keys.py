"""The keys that open a gateway over HTTP; whoever sends one is the principal of that key.

A principal's id is derived slowly from its key, so that neither a ledger nor a log helps to guess a weak one.
"""

import hashlib
import secrets
from collections.abc import Iterable
from typing import Final, NamedTuple

from toolbooth import errors
from toolbooth.access.principal import Principal

__all__ = ["AccessKey", "AccessKeys"]

_ROUNDS: Final = 100_000  # 30 ms for each key at the start, and for each guess
_SALT: Final = b"toolbooth principal"
_ID_BYTES: Final = 6


class AccessKey(NamedTuple):
    """A secret, and the name that people read in its place: that of the variable which holds it."""

    secret: str
    name: str = ""


class AccessKeys:
    """Every key of one gateway. Only digests are kept, and a key that is sent is compared with all of them."""

    def __init__(self, keys: Iterable[AccessKey]) -> None:
        """Raises UserMistake if a key is blank, which everyone would have, or is given twice."""
        self._principals: dict[bytes, Principal] = {}
        for secret, name in keys:
            sent = secret.strip().encode()
            if not sent:
                raise errors.UserMistake("the key is blank; set its variable to a long random text")
            known = self._principals.get(_digest(sent))
            if known is not None:
                raise errors.UserMistake(
                    f"{known.name} and {name} hold the same key; give each client a key of its own"
                )
            self._principals[_digest(sent)] = Principal(_id_of(sent), name)

    @property
    def principals(self) -> tuple[Principal, ...]:
        """The owners of the keys, in the order in which they were given."""
        return tuple(self._principals.values())

    def owner(self, sent: bytes) -> Principal | None:
        """Whose key this is; compared in constant time, and always with every key."""
        digest, found = _digest(sent.strip()), None
        for known, principal in self._principals.items():
            if secrets.compare_digest(digest, known):
                found = principal
        return found


def _digest(sent: bytes) -> bytes:
    """Of one length for all keys, so that a comparison does not show how long they are."""
    return hashlib.sha256(sent).digest()


def _id_of(sent: bytes) -> str:
    return f"key-{hashlib.pbkdf2_hmac('sha256', sent, _SALT, _ROUNDS, _ID_BYTES).hex()}"
