"""A block as bytes, as the gateway's cache keeps it beside the tools, and back.

A line of JSON with the rules of the words, the embedder's name and the sizes of the parts; then the parts: two texts
and little-endian arrays. Words that other rules made, and vectors of another embedder, are not used. Weights, synonyms
and everything else that a search applies later are not part of a block.
"""

import unicodedata
from collections.abc import Iterator, Sequence
from functools import cache
from hashlib import blake2b
from importlib.resources import files
from typing import Any, Final, NamedTuple

import msgspec
import numpy as np
import Stemmer  # type: ignore[import-not-found]
from numpy.typing import NDArray

import toolbooth
from toolbooth import catalog, limits
from toolbooth.search import analysis, block, languages, vocabulary
from toolbooth.search.fields import Field

# What makes words out of tools. A change in one of these files makes every stored block be made anew.
_SOURCES: Final = ("analysis.py", "block.py", "fields.py", "languages.py", "stored_block.py", "vocabulary.py")


class _Header(msgspec.Struct, frozen=True):
    rules: str
    embedder: str
    sizes: tuple[int, ...]


class UnusableBlock(ValueError):
    """The bytes are not a block of these tools."""


class Restored(NamedTuple):
    """A block without its vectors, if the rules of its words still hold; the vectors, if they are this embedder's."""

    words: block.Block | None
    vectors: block.Floats | None


@cache
def rules() -> str:
    """The hash of everything that decides about the words of a block."""
    package = files("toolbooth.search")
    numbers = (limits.MAX_FIELD_TEXT, limits.MAX_ABOUT, limits.MAX_PARAMETERS, limits.MAX_WORD)
    versions = (toolbooth.__version__, Stemmer.version(), unicodedata.unidata_version, numbers)
    found = blake2b(repr(versions).encode(), digest_size=12)
    parts = [package / name for name in _SOURCES]
    parts += sorted(languages.FOLDER.iterdir(), key=lambda file: file.name)
    for part in (*parts, analysis.WORDS / "stop_words.txt", vocabulary.MODEL / "tokenizer.json"):
        found.update(part.read_bytes() if part.is_file() else b"")
    return found.hexdigest()


def as_bytes(made: block.Block, embedder: str) -> bytes:
    """The bytes of a block; `embedder` is the name of what made its vectors."""
    words, found = made.lexicon, made.occurrences
    arrays: list[tuple[NDArray[Any], str]] = [
        (words.terms, "<i4"),
        (words.surfaces, "<i4"),
        (found.terms, "<i4"),
        (found.tools, "<i4"),
        (found.fields, "u1"),
        (found.counts, "<u2"),
        (made.lengths, "<f4"),
        (made.names, "<u4"),
        (np.zeros(0) if made.vectors is None else made.vectors, "<f4"),
    ]
    parts = [
        *(text.encode("utf-8", "surrogatepass") for text in (words.stems, words.words)),
        *(array.astype(kind).tobytes() for array, kind in arrays),
    ]
    header = _Header(rules(), embedder, tuple(map(len, parts)))
    return b"\n".join([msgspec.json.encode(header), b"".join(parts)])


def from_bytes(
    data: bytes | memoryview, server: str, tools: Sequence[catalog.Tool], embedder: str
) -> Restored:
    """Read a block that was made of these tools; raises UnusableBlock where the bytes are none."""
    try:
        header, parts = _taken_apart(memoryview(data))
        if header.embedder != embedder:
            parts[-1] = parts[-1][:0]
        vectors = _array(parts[-1], "<f4").reshape(len(tools), -1) if len(parts[-1]) and tools else None
        if header.rules != rules():
            return Restored(None, vectors)
        return Restored(_block(parts, server, tools), vectors)
    except (ValueError, IndexError, msgspec.DecodeError) as error:
        raise UnusableBlock(str(error)) from None


def _taken_apart(data: memoryview) -> tuple[_Header, list[memoryview]]:
    end = bytes(data[:4096]).index(b"\n")
    header = msgspec.json.decode(data[:end], type=_Header)
    rest = data[end + 1 :]
    if len(header.sizes) != _PARTS or min(header.sizes) < 0 or sum(header.sizes) != len(rest):
        raise ValueError("its parts have other sizes")
    return header, list(_parts(rest, header.sizes))


_PARTS: Final = 11


def _parts(data: memoryview, sizes: Sequence[int]) -> Iterator[memoryview]:
    start = 0
    for size in sizes:
        yield data[start : start + size]
        start += size


def _block(parts: Sequence[memoryview], server: str, tools: Sequence[catalog.Tool]) -> block.Block:
    """Everything but the vectors is copied, so that the file's bytes are not kept in memory for it."""
    stems, words = (str(part, "utf-8", "surrogatepass") for part in parts[:2])
    lexicon = block.Lexicon(stems, words, _array(parts[2], "<i4").copy(), _array(parts[3], "<i4").copy())
    found = block.Occurrences(
        _array(parts[4], "<i4").copy(),
        _array(parts[5], "<i4").copy(),
        _array(parts[6], "u1").copy(),
        _array(parts[7], "<u2").copy(),
    )
    lengths = _array(parts[8], "<f4").reshape(len(Field), len(tools)).copy()
    names = _array(parts[9], "<u4").reshape(len(tools), 2).copy()
    made = block.Block(server, tuple(tools), lexicon, found, lengths, names, None)
    _check(made)
    return made


def _array(part: memoryview, kind: str) -> NDArray[Any]:
    found = np.frombuffer(part, kind)
    return found.astype(found.dtype.newbyteorder("="), copy=False)


def _check(made: block.Block) -> None:
    """A number outside its range would fail only in a later search."""
    words, found = made.lexicon, made.occurrences
    terms, spelled = len(made.stem_lines()), len(made.words())
    fits = (
        len(words.surfaces) == terms
        and len(words.terms) == spelled
        and _within(words.terms, terms)
        and _within(words.surfaces, spelled)
        and len({len(each) for each in found}) == 1
        and _within(found.terms, terms)
        and _within(found.tools, len(made.tools))
        and _within(found.fields, len(Field))
        and bool((np.diff(found.tools) >= 0).all())
    )
    if not fits:
        raise ValueError("its numbers do not fit together")


def _within(numbers: NDArray[Any], size: int) -> bool:
    return not len(numbers) or bool(numbers.min() >= 0 and numbers.max() < size)
