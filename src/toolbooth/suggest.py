"""Suggestions for a mistyped name: the known names that are most like it, and the sentence that offers them."""

from collections.abc import Iterable

from toolbooth.safetext import for_terminal

__all__ = ["closest", "did_you_mean"]

ALIKE = 60.0  # per cent of letters in common; below it, names share little more than their alphabet
_LONGEST = (
    200  # characters that are compared: longer words are no names, and comparing takes the square of it
)


def closest(word: str, known: Iterable[str], count: int = 1, alike: float = ALIKE) -> list[str]:
    """At most `count` known names, the most similar first; case and punctuation do not matter."""
    from rapidfuzz import process, utils  # only after a mistake: 10 ms that a right command does not pay
    from rapidfuzz.fuzz import ratio

    found = process.extract(
        word[:_LONGEST],
        list(dict.fromkeys(known)),
        scorer=ratio,
        processor=utils.default_process if utils.default_process(word) else None,  # signs such as `=>` stay
        limit=count,
        score_cutoff=alike,
    )
    return [name for name, _score, _index in found]


def did_you_mean(
    word: str,
    known: Iterable[str],
    otherwise: str = "",
    *,
    form: str = "{}",
    count: int = 1,
    alike: float = ALIKE,
) -> str:
    """`did you mean notes or mails?`, safe to print; `otherwise` where nothing is similar enough.

    `form` is how one name is written: `"'{}'"`, or "`toolbooth {}`".
    """
    names = [form.format(for_terminal(name, 100)) for name in closest(word, known, count, alike)]
    return f"did you mean {' or '.join(names)}?" if names else otherwise
