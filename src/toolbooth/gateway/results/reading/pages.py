"""Lines × a wish → as many of them as fit, and where some of them do not, the very call that goes on."""

from toolbooth.errors import WrongArguments
from toolbooth.gateway.results.lines import Lines, size
from toolbooth.gateway.results.reading.placeholder import placeholder
from toolbooth.gateway.results.reading.wish import Wish


def page(whole: Lines, wish: Wish) -> str:
    """At least one line is shown whatever its size, or a reader would never get on."""
    start = wish.start
    if start > max(1, len(whole)):
        what = "what `path` leads to" if wish.path else "this result"
        plural = "s" if len(whole) != 1 else ""
        raise WrongArguments(f"{what} has {len(whole)} line{plural}; `start` must be at most that")
    wanted = len(whole) if wish.lines is None else min(start - 1 + wish.lines, len(whole))
    last = start - 1 + whole.fitting_head(wish.max_bytes, start, wanted - start + 1)
    if last < wanted:
        room = wish.max_bytes - size(_rest(whole, start, wanted, wish)) - 1
        last = start - 1 + max(1, whole.fitting_head(max(0, room), start, wanted - start + 1))
    text = whole.part(start, last - start + 1)
    if last >= wanted:
        return text
    joint = "\n" if whole.breaks_after(last) else ""
    return f"{text}{joint}{_rest(whole, last, wanted, wish)}"


def _rest(whole: Lines, last: int, wanted: int, wish: Wish) -> str:
    """The words for what was asked for and comes behind a line, with the size that the reader chose."""
    inside = whole.breaks_after(last)
    return placeholder(wish.ref, last + 1, wanted - last, inside, wish.path, wish.max_bytes)
