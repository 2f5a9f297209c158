"""News between processes: what a command tells the gateways that are running.

`toolbooth auth` announces a sign-in, and servers that rest because one was missing are tried again at once.
"""

from collections.abc import Mapping
from contextlib import closing, suppress
from hashlib import sha256
from pathlib import Path
from typing import Final

from toolbooth import safetext, store

SIGNED_IN: Final = "signed_in"
_SERVER: Final = "server"


def announce_sign_in(folder: Path, url: str, now: float) -> None:
    """Tell running gateways that there is a token for this server. Without a usable folder nobody is told."""
    with suppress(OSError), closing(store.open_state(folder)) as state:
        state.news.publish(SIGNED_IN, {_SERVER: _digest(url)}, now)


def is_about(payload: Mapping[str, object], url: str) -> bool:
    """Whether news of a sign-in are about the server at this address."""
    return payload.get(_SERVER) == _digest(url)


def _digest(url: str) -> str:
    """An address may hold a key in its query, so it is not written down."""
    from toolbooth.catalog.connect.oauth import canonical_url  # needs a browser and a keyring, too

    return sha256(canonical_url(url).encode("utf-8", "surrogatepass")).hexdigest()


class NewsReader:
    """What was published since this reader was made. Blocking; an error is noted once, and read past."""

    def __init__(self, state: store.State, since: float) -> None:
        self.notes: list[str] = []
        self._state, self._since = state, since
        self._cursor: int | None = None

    def read(self) -> list[store.NewsItem]:
        """The items that are new."""
        if not self._state.exists:
            return []
        try:
            if self._cursor is None:
                self._cursor = self._state.news.position(self._since)
            found = self._state.news.since(self._cursor, (SIGNED_IN,))
        except OSError as error:
            line = safetext.for_log(f"{store.STATE_FILE}: no news are read: {error.strerror or error}")
            if line not in self.notes:
                self.notes.append(line)
            return []
        self._cursor = found[-1].cursor if found else self._cursor
        return found
