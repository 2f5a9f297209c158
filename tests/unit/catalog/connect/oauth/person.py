"""A person at a browser, played by an HTTP client that follows the authorization server's redirect."""

import json
import threading
from typing import Any

import httpx2
from tests.authorization_server import CANARY

from toolbooth.catalog import ServerSpec
from toolbooth.catalog.connect.oauth import StoredToken, canonical_url, sign_in
from toolbooth.catalog.connect.oauth.token_store import TokenFolder


class Person:
    """Goes to the address, in a thread as a real browser would be; `pages` are what they saw."""

    def __init__(self) -> None:
        self.went_to: list[str] = []
        self.pages: list[httpx2.Response] = []
        self._threads: list[threading.Thread] = []

    def go(self, url: str) -> None:
        self.went_to.append(url)
        self._threads.append(threading.Thread(target=self._browse, args=(url,)))
        self._threads[-1].start()

    def _browse(self, url: str) -> None:
        self.pages.append(httpx2.get(url, follow_redirects=True))

    def leave(self) -> None:
        for thread in self._threads:
            thread.join()


async def signed_in(spec: ServerSpec, **options: Any) -> StoredToken:
    """Sign in as a person who agrees."""
    person = Person()
    try:
        kept = await sign_in(spec, person.go, **options)
    finally:
        person.leave()
    assert kept is not None
    assert [page.status_code for page in person.pages] == [200]
    assert CANARY not in person.pages[0].text
    return kept


def record_of(folder: TokenFolder, spec: ServerSpec) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(folder.file_of(canonical_url(spec.url)).read_bytes())
    return found


def rewrite(folder: TokenFolder, spec: ServerSpec, **changes: Any) -> None:
    """Change a kept record, to let time pass."""
    record = {**record_of(folder, spec), **changes}
    folder.file_of(canonical_url(spec.url)).write_text(json.dumps(record))
