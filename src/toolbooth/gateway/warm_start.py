"""A catalog → the gateway's cache of it; that cache → a book that is ready to be searched, as at a warm start."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from toolbooth.catalog import Catalog, ServerSpec, ServerTools, started_in
from toolbooth.gateway.book import Book
from toolbooth.gateway.cache import Cache, cache_folder
from toolbooth.gateway.surfaces import pin_problems

__all__ = ["Book", "keep_catalog", "pin_problems", "recalled_book", "remembered"]


def keep_catalog(catalog: Catalog, folder: Path) -> None:
    """Write what a gateway keeps of these servers, the vectors of their tools included."""
    book = Book(each.server for each in catalog.servers)
    for each in catalog.servers:
        book.put(each)
    book.search("")
    cache = Cache(folder)
    for each in catalog.servers:
        cache.save(_spec(each.server), each, {}, book.vectors(each.server))


def remembered(
    specs: Sequence[ServerSpec], environ: Mapping[str, str], home: Path, cwd: Path
) -> tuple[ServerTools, ...]:
    """What these servers offered when a gateway last saw them; nothing is started."""
    cache = Cache(cache_folder(environ, home))
    found = (cache.load(started_in(cwd, spec)) or cache.load(spec) for spec in specs)
    return tuple(each.offered for each in found if each is not None)


def recalled_book(servers: Sequence[str], folder: Path) -> Book:
    """What a gateway knows at its start, before any of its servers is up; its first search makes the index."""
    cache = Cache(folder)
    book = Book(servers, cache.load_usage())
    for server in servers:
        known = cache.load(_spec(server))
        if known is not None:
            book.put(known.offered, known.vectors)
    return book


def _spec(server: str) -> ServerSpec:
    """The cache knows servers by how they are reached; these are reached by nobody."""
    return ServerSpec(server, "stdio", server)
