"""The words of prose and names, for scan and lint.

`TextWords` has the words of a text in lower case with their positions, split into sentences. Marks among the words
represent addresses and the ends of sentences.
"""

import re
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Final, NamedTuple


def word_set(text: str) -> frozenset[str]:
    """The words of a text as a set."""
    return frozenset(text.split())


MAIL: Final = "@"  # represents any e-mail address or telephone number
WEB: Final = "//"  # represents any web address
END: Final = "."  # represents the end of a sentence
_TOKEN: Final = re.compile(
    r"(?P<web>https?://[^\s\"'<>`)\]]{3,2048}+)"
    r"|(?P<mail>(?<![\w.+-])[\w.+-]{1,64}+@[\w-]{1,63}+(?:\.[\w-]{1,63}+){1,4}+|\+\d{8,15}+)"
    r"|(?P<word>[^\W_]++(?:['’][^\W_]++)?+)"
    r"|(?P<end>[.!?](?=[\s\"'”’)]|$)|[。！？]|\n[ \t\r]*+\n|\n[ \t]*+[-*•#])",
    re.IGNORECASE,
)
_PLACEHOLDER: Final = re.compile(
    r"@(?:[\w-]+\.)?(?:example|test|domain|yourdomain|company|acme|email|mail)\.|//(?:localhost|127\.|0\.0\.0\.0)"
)
_CAMEL_CASE: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


class WordSpan(NamedTuple):
    """The first and last word of a part of a text, by index."""

    first: int
    last: int


class TextWords:
    """The words of a text, with `@` or `//` for each address and `.` for each end of a sentence."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.words: list[str] = []
        self.starts: list[int] = []
        self.ends: list[int] = []
        self.sentences: list[int] = []
        sentence = 0
        for token in _TOKEN.finditer(text):
            self.words.append(_word(token))
            self.starts.append(token.start())
            self.ends.append(token.end())
            self.sentences.append(sentence)
            sentence += token.lastgroup == "end"
        if self.words and self.words[-1] != END:
            self.words.append(END)
            self.starts.append(len(text))
            self.ends.append(len(text))
            self.sentences.append(sentence)

    @cached_property
    def known(self) -> frozenset[str]:
        """All words as a set."""
        return frozenset(self.words)

    @cached_property
    def positions(self) -> Mapping[str, list[int]]:
        """Map each word to its indexes."""
        found: dict[str, list[int]] = {}
        for index, word in enumerate(self.words):
            found.setdefault(word, []).append(index)
        return found

    def positions_of(self, some: Iterable[str]) -> list[int]:
        """The indexes of all these words, in order."""
        return sorted(index for word in some for index in self.positions.get(word, ()))

    def quoted(self, span: WordSpan, more: int = 60) -> str:
        """The original text of a part, with a little of its context, cut between words."""
        return excerpt(self.text, self.starts[span.first], self.ends[span.last], more)

    def sentence_around(self, span: WordSpan, reach: int) -> WordSpan:
        """The sentence around a part, up to `reach` words on either side, so a very long sentence stays cheap."""
        first, last, sentence = span.first, span.last, self.sentences[span.first]
        while first > max(0, span.first - reach) and self.sentences[first - 1] == sentence:
            first -= 1
        while last + 1 < min(len(self.words), span.last + reach + 1) and self.sentences[last + 1] == sentence:
            last += 1
        return WordSpan(first, last)

    def words_in(self, span: WordSpan) -> list[str]:
        """The words of a part."""
        return self.words[span.first : span.last + 1]


def excerpt(text: str, first: int, last: int, more: int) -> str:
    """From `first` to `last` with up to `more` characters on either side, cut between words."""
    before, after = text[max(0, first - more) : first], text[last : last + more]
    if first > more:
        before = f"…{before.partition(' ')[2] or before}"
    if last + more < len(text):
        after = f"{after.rpartition(' ')[0] or after}…"
    return f"{before}{text[first:last]}{after}"


def _word(token: re.Match[str]) -> str:
    if token.lastgroup == "end":
        return END
    lowered = token[0].lower()
    if token.lastgroup in ("web", "mail"):
        return "" if _PLACEHOLDER.search(lowered) else WEB if token.lastgroup == "web" else MAIL
    return lowered.replace("'", "").replace("’", "")


def split_camel_case(name: str) -> str:
    """`readSshKey` becomes `read Ssh Key`."""
    return _CAMEL_CASE.sub(" ", name)


_WORD: Final = re.compile(r"[^\W_]+")
_SENTENCE_END: Final = re.compile(r"(?<=[.!?])\s+|\n+")
_FILLERS: Final = word_set(
    "a an the of in to for by with from on and or is are be this that it its as at tool function method api mcp use "
    "used using via will can you your given specified provided"
)


def words_of(text: str) -> list[str]:
    """The words in lower case; `getUserName` and `get_user_name` both have three."""
    return [word.lower() for word in _WORD.findall(_CAMEL_CASE.sub(" ", text))]


def content_words(text: str) -> frozenset[str]:
    """The words with meaning, each without a plural s."""
    return frozenset(word.rstrip("s") or word for word in words_of(text) if word not in _FILLERS)


def sentences(text: str) -> list[str]:
    """The sentences and lines of a text, stripped."""
    return [part.strip() for part in _SENTENCE_END.split(text) if part.strip()]
