"""Exact token counts of text, offline, in any encoding that ships with the tokenizer."""

import hashlib
from collections import OrderedDict
from functools import cache

from splintr import AnyTokenizer, Tokenizer

from toolbooth import errors, limits, suggest

DEFAULT_ENCODING = "cl100k_base"


def count(text: str, encoding: str = DEFAULT_ENCODING) -> int:
    """The tokens of `text`; special tokens such as `<|endoftext|>` in it count as ordinary text."""
    tokenizer = _tokenizer(encoding)
    key = hashlib.blake2b(
        text.encode("utf-8", "surrogatepass"), digest_size=16, key=encoding[:64].encode()
    ).digest()
    known = _counted.get(key)
    if known is None:
        known = _counted[key] = len(tokenizer.encode_ordinary(_without_lone_surrogates(text)))
        if len(_counted) > limits.COUNT_CACHE_ENTRIES:
            _counted.popitem(last=False)
    return known


_counted: OrderedDict[bytes, int] = OrderedDict()


def _without_lone_surrogates(text: str) -> str:
    # The reference implementation does the same: a lone surrogate counts as U+FFFD.
    if text.isascii():
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def check_encoding(encoding: str) -> str:
    """The name itself if its vocabulary is installed; otherwise raises UnknownEncoding with the nearest names."""
    _tokenizer(encoding)
    return encoding


@cache
def encodings() -> tuple[str, ...]:
    """Every name that the installed tokenizer accepts, aliases included."""
    try:
        Tokenizer.from_pretrained("")
    except ValueError as refusal:
        # The tokenizer publishes its names only in this message (splintr 0.22).
        return tuple(name.strip(" .") for name in str(refusal).partition("Supported:")[2].split(",") if name)
    return (DEFAULT_ENCODING,)


@cache
def _tokenizer(encoding: str) -> AnyTokenizer:
    try:
        return Tokenizer.from_pretrained(encoding)
    except ValueError:
        near = suggest.closest(encoding, encodings(), count=3, alike=40) or [DEFAULT_ENCODING, "o200k_base"]
        raise errors.UnknownEncoding(
            f"no vocabulary named {encoding!r} is installed; try {', '.join(near)}"
        ) from None
