"""Wire objects as a server sends them → the digests that a lock of them would have, without the server's secrets.

Looking for secrets in every text of a definition takes 20 µs, and a server may list thousands of tools at every look;
looking for them in its JSON takes 3.
"""

from collections.abc import Sequence

import orjson

from toolbooth.catalog import Json
from toolbooth.contracts import digest_of, wire_without


class LiveDigests:
    """Of one server, and of what it was given; `secrets` are taken out as they were before the lock was written."""

    def __init__(self, secrets: Sequence[str]) -> None:
        self._secrets = secrets
        self._quoted = [orjson.dumps(secret)[1:-1] for secret in secrets if _is_whole(secret)]

    def of(self, wire: Json) -> str:
        """The digest of one tool."""
        return digest_of(self.without_secrets(wire) if self._may_hold_secrets(wire) else wire)

    def without_secrets(self, wire: Json) -> Json:
        """As it would stand in a lock."""
        return wire_without(wire, self._secrets)

    def _may_hold_secrets(self, wire: Json) -> bool:
        try:
            data = orjson.dumps(wire)
        except TypeError:  # an integer over 64 bits, half a character: then its texts are looked through
            return True
        return any(quoted in data for quoted in self._quoted)


def _is_whole(secret: str) -> bool:
    """Half a character stands in no wire object that can be written."""
    return secret.isascii() or not any("\ud800" <= character <= "\udfff" for character in secret)
