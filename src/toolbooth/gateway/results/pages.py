"""Lines × a wish → as many of them as fit, and where text follows, the very call that goes on."""

from toolbooth.errors import WrongArguments
from toolbooth.gateway.results.lines import Lines, size
from toolbooth.gateway.results.placeholder import placeholder
from toolbooth.gateway.results.wish import Wish
from toolbooth.limits import READ_LINES


def page(whole: Lines, wish: Wish) -> str:
    """At least one line is shown whatever its size, or a reader would never get on."""
    start, most = wish.start, wish.lines or READ_LINES
    if start > max(1, len(whole)):
        what = "what `path` leads to" if wish.path else "this result"
        plural = "s" if len(whole) != 1 else ""
        raise WrongArguments(f"{what} has {len(whole)} line{plural}; `start` must be at most that")
    last = start - 1 + whole.fitting_head(wish.max_bytes, start, most)
    if last < len(whole):
        room = wish.max_bytes - size(_rest(whole, start, wish)) - 1
        last = start - 1 + max(1, whole.fitting_head(max(0, room), start, most))
    text = whole.part(start, last - start + 1)
    if last >= len(whole):
        return text
    joint = "\n" if whole.breaks_after(last) else ""
    return f"{text}{joint}{_rest(whole, last, wish)}"


def _rest(whole: Lines, last: int, wish: Wish) -> str:
    """The words for all that comes behind a line."""
    return placeholder(wish.ref, last + 1, len(whole) - last, whole.breaks_after(last), wish.path)
