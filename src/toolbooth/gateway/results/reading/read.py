"""A ref × what is wanted of it (a path, a query, lines) → that part of the kept text, bounded, and how to go on."""

from toolbooth.gateway.results.reading.pages import page
from toolbooth.gateway.results.reading.wish import Wish
from toolbooth.gateway.results.store import ResultStore
from toolbooth.limits import QUICK_READ


def read(store: ResultStore, session: str, wish: Wish) -> str:
    """Raises WrongArguments. What is not quick is better read in a thread."""
    whole = store.get(wish.ref, session)
    if not wish.path and not wish.query:
        return page(whole, wish)
    from toolbooth.gateway.results.reading.reach import reach  # brings jmespath and the search

    return reach(whole, wish)


def is_quick(store: ResultStore, wish: Wish) -> bool:
    """Whether reading takes a millisecond at most: lines of a text that is not large, and in memory."""
    size = store.at_hand(wish.ref)
    return size is not None and size <= QUICK_READ and not wish.path and not wish.query
