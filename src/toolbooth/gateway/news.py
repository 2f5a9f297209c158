"""News between processes: what a command tells the gateways that are running.

`toolbooth auth` announces a sign-in, and servers that rest because one was missing are tried again at once.
"""

from collections.abc import Iterable
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

    def signed_in_to(self, urls: Iterable[str]) -> set[str]:
        """Those of these addresses that somebody has signed in to since this was last asked."""
        told = {str(item.payload.get(_SERVER)) for item in self._read()}
        return {url for url in urls if _digest(url) in told} if told else set()

    def _read(self) -> list[store.NewsItem]:
        if not self._state.exists:
            return []
        try:
            if self._cursor is None:
                self._cursor = self._state.news.position(self._since)
            found = self._state.news.since(self._cursor, (SIGNED_IN,))
        except OSError as error:
            line = safetext.for_log(f"{store.STATE_FILE}: no news is read: {error.strerror or error}")
            if line not in self.notes:
                self.notes.append(line)
            return []
        self._cursor = found.cursor
        return found.items
