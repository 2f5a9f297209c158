"""A ref and a range of lines → that part of the kept text, itself bounded, and how to go on."""

from toolbooth.errors import WrongArguments
from toolbooth.gateway.results.placeholder import placeholder
from toolbooth.gateway.results.store import ResultStore


def read_lines(store: ResultStore, session: str, ref: str, start: int, lines: int, cap: int) -> str:
    """The lines, as many of them as fit into `cap` bytes; where text follows, the last line says how to read it."""
    whole = store.get(ref, session)
    if start > len(whole):
        raise WrongArguments(f"this result has {len(whole)} lines; `start` must be at most that")
    # At least one line is shown whatever the cap, or a reader would never get on.
    shown = max(1, whole.fitting_head(cap, start, lines))
    text = whole.part(start, shown)
    following = start + shown
    left = len(whole) - following + 1
    if left <= 0:
        return text
    inside = whole.breaks_after(following - 1)
    joint = "\n" if inside else ""
    return f"{text}{joint}{placeholder(ref, following, left, inside)}"
