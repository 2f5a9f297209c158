"""What an answer was and what is shown of it → the one line that says so."""

from collections.abc import Sequence

from toolbooth.gateway.ledger.counting import Counter
from toolbooth.gateway.reduce.hidden import in_kb
from toolbooth.gateway.results.lines import size


def metadata(before: Sequence[str], after: Sequence[str], refs: Sequence[str], notes: Sequence[str]) -> str:
    """`[3.1 of 250 KB, 812 of 61,400 tokens shown, 99% less. For more: read_result(ref='…', …)]`."""
    if not refs:  # nothing was cut, and only that is to be said
        return f"[{'; '.join(notes)}]"
    whole, shown = sum(map(size, before)), sum(map(size, after))
    count = Counter()
    kept, tokens = sum(map(count, after)), sum(map(count, before))
    about = "" if count.exact else "about "
    said = (
        f"{in_kb(shown)} of {in_kb(whole)}, {kept:,} of {about}{tokens:,} tokens shown, {_less(kept, tokens)}"
    )
    more = " and ".join(f"read_result(ref='{ref}'{HOW if not at else ''})" for at, ref in enumerate(refs))
    return f"[{'; '.join([*notes, said])}. For more: {more}]"


def _less(kept: int, whole: int) -> str:
    """In percent, rounded down: what is kept of much is never nothing."""
    if not whole or kept >= whole:
        return "nothing less"
    saved = 100 * (1 - kept / whole)
    return f"{int(saved * 10) / 10}% less" if saved >= 99 else f"{int(saved)}% less"


HOW = ", path=JMESPath or query=words or start=line, lines=n"
