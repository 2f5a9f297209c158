"""The shop's pages and API as an HTTP server on loopback, for the time of the recording."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple

from .shop import dumps, issues, pages


class Page(NamedTuple):
    """The content at an address."""

    kind: str
    text: str


def site() -> dict[str, Page]:
    """Every address of the shop."""
    return {
        "/goods": Page("text/html", pages.catalogue(110)),
        "/staff/orders": Page("text/html", pages.staff_table(150)),
        "/handbook": Page("text/html", pages.guide()),
        "/api/issues": Page("application/json", dumps.pretty(issues.issues(84, 2310))),
        "/api/issues/compact": Page("application/json", dumps.minified(issues.issues(64, 1790))),
        "/api/orders": Page("application/json", dumps.minified(dumps.order_page(260))),
        "/api/categories": Page("application/json", dumps.pretty(dumps.category_tree())),
        "/api/deployment": Page("application/json", dumps.pretty(dumps.deployment())),
        "/api/attachments": Page("application/json", dumps.pretty(dumps.attachments(12))),
    }


@contextmanager
def serving() -> Iterator[str]:
    """Gives the address of the shop."""
    found = site()

    class Pages(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            page = found.get(self.path)
            self.send_response(200 if page else 404)
            self.send_header("content-type", f"{page.kind if page else 'text/plain'}; charset=utf-8")
            self.end_headers()
            self.wfile.write(page.text.encode() if page else b"")

        def log_message(self, *_words: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Pages)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
