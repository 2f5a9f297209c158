"""Suggestions: the known names most similar to a mistyped one, in a sentence; and how to install an optional part."""

from collections.abc import Iterable

from toolbooth import safetext

__all__ = ["closest", "did_you_mean", "install_extra"]

ALIKE = 60.0  # per cent of letters in common; below that, names are hardly similar
_LONGEST = 200  # characters that are compared: longer words are not names, and the time grows with the square


def closest(word: str, known: Iterable[str], count: int = 1, alike: float = ALIKE) -> list[str]:
    """At most `count` known names, the most similar first; case and punctuation do not matter."""
    from rapidfuzz import process, utils  # imported only after a mistake: it takes 10 ms
    from rapidfuzz.fuzz import ratio

    found = process.extract(
        word[:_LONGEST],
        list(dict.fromkeys(known)),
        scorer=ratio,
        processor=utils.default_process
        if utils.default_process(word)
        else None,  # keeps words of signs alone, such as `=>`
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
    """`did you mean notes or mails?`, safe to print; `otherwise` if nothing is similar enough.

    `form` is how one name is written: `"'{}'"`, or "`toolbooth {}`".
    """
    names = [form.format(safetext.for_terminal(name, 100)) for name in closest(word, known, count, alike)]
    return f"did you mean {' or '.join(names)}?" if names else otherwise


def install_extra(extra: str) -> str:
    """The command for an optional part. The first form needs no registry: pip reads the installed package's extras."""
    return f"pip install 'toolbooth[{extra}]', or in a checkout pip install '.[{extra}]'"
