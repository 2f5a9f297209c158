"""The search hint of a tool: words that somebody may search it by, and that its name and description do not have.

Clients that search tools themselves compare whole words and know no synonyms. They count a word of the hint higher
than one of the description, and show it to nobody. So the hint holds single words, and nothing twice.
"""

from collections.abc import Iterator

from toolbooth import catalog, limits
from toolbooth.search import analysis
from toolbooth.search.fields import field_texts
from toolbooth.search.synonyms import related_words

__all__ = ["search_hint"]
_SHORTEST = 2  # letters of a word that says something


def search_hint(tool: catalog.Tool) -> str:
    """The same words for the same tool every time: synonyms of its name before the names of its parameters.

    A description in another language gives English words, which come first. Empty if there is nothing to add.
    """
    said = {analysis.stem(word) for word in _words(f"{tool.server} {tool.name} {tool.description}")}
    hint = ""
    for word in _candidates(tool):
        longer = f"{hint} {word}".lstrip()
        if len(longer) > limits.SEARCH_HINT:
            break
        if analysis.stem(word) not in said:
            said.add(analysis.stem(word))
            hint = longer
    return hint


def _candidates(tool: catalog.Tool) -> Iterator[str]:
    _, _, description, parameters, _ = field_texts(tool)  # the description with its title, and in English
    yield from _words(description)
    for word in _words(tool.name):
        yield from related_words(word)
    yield from _words(parameters)


def _words(text: str) -> Iterator[str]:
    """Of a compound its parts, since nobody searches for `tagname`."""
    for whole, parts in analysis.split(text[: limits.MAX_FIELD_TEXT]):
        for word in parts or (whole,):
            if len(word) >= _SHORTEST and not word.isdigit() and word not in analysis.stop_words():
                yield word
