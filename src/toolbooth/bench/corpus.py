"""A corpus of tools with a version, and its pairing with a golden set.

A pair is a corpus and questions whose labels all name tools of that corpus; other labels are refused, or left out with
a note. The built-in corpus and golden set in `builtin/` never change: a test checks their digests. A better one becomes
`corpus_2` or `golden_2`.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from toolbooth import errors, figures, safetext
from toolbooth.bench.golden import GoldenQuestion, GoldenSet, load_golden
from toolbooth.bench.json_file import read_json
from toolbooth.catalog import Catalog, read_catalog

_NAMED: Final = 3  # examples in a message
_SUFFIXES: Final = (".json", ".tools")


@dataclass(frozen=True)
class Corpus:
    """Tools that do not change under the same version.

    `notes` say what it lacks; `source_errors` are what failed just now. A `live` corpus has no version to check.
    """

    version: str
    catalog: Catalog
    notes: tuple[str, ...] = ()
    source_errors: tuple[str, ...] = ()
    live: bool = False


class Pair(NamedTuple):
    """Questions whose labels are all tools of the corpus, and the labels that were left out."""

    corpus: Corpus
    golden: GoldenSet
    unknown: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def load_corpus(path: Path) -> Corpus:
    """Read a corpus or any catalog file. Raises ConfigError if it is empty or has a tool twice."""
    return read_corpus(read_json(path), path)


def read_corpus(document: Any, path: Path) -> Corpus:
    """Read a parsed corpus."""
    catalog = read_catalog(document, path)
    _refuse_holes(catalog, path)
    if not catalog.tools:
        raise errors.NothingToWeigh(f"{path}: the corpus has no tools, so there is nothing to measure")
    return Corpus(stated_version(document, path), catalog, tuple(_lacks(catalog)))


def _lacks(catalog: Catalog) -> Iterator[str]:
    for name, why in catalog.missing:
        yield f"the corpus lacks {safetext.for_terminal(name, 60)}: {safetext.for_terminal(why, 200)}"
    for each in catalog.set_aside:
        if each.kind == "cut":
            yield (
                f"the corpus lacks a part of {safetext.for_terminal(each.server, 60)}: "
                f"{safetext.for_terminal(each.reason, 200)}"
            )


def _refuse_holes(catalog: Catalog, path: Path) -> None:
    """Refuse entries that would be left out silently: a corpus is frozen, so its author can fix it."""
    aside = {
        kind: [each for each in catalog.set_aside if each.kind == kind] for kind in ("duplicate", "malformed")
    }
    twice = [f"{each.server}:{each.name}" for each in aside["duplicate"]]
    if twice:
        raise errors.ConfigError(
            f"{figures.counted(len(twice), 'duplicate tool')}: {_some(twice)}; keep one of each", path
        )
    wrong = [f"{each.server}:{each.name or '(no name)'} ({each.reason})" for each in aside["malformed"]]
    if wrong:
        what = "1 entry is not a tool" if len(wrong) == 1 else f"{len(wrong):,} entries are not tools"
        raise errors.ConfigError(f"{what}: {_some(wrong)}; fix or remove them", path)


def stated_version(document: Any, path: Path) -> str:
    """The version in the file, the fingerprint of a catalog file, or the file name."""
    about = document if isinstance(document, Mapping) else {}
    named, fingerprint = about.get("version"), about.get("fingerprint")
    if isinstance(named, str) and named.strip():
        return named
    if isinstance(fingerprint, str):
        return f"catalog-{fingerprint[:12]}"
    name = path.name
    for suffix in _SUFFIXES:
        name = name.removesuffix(suffix)
    return name


def pair(
    corpus: Corpus, golden: GoldenSet, *, allow_unknown: bool = False, allow_mismatch: bool = False
) -> Pair:
    """Refuse a pair that would give wrong figures, or note it if it is allowed."""
    notes = list(corpus.notes)
    if golden.corpus_version != corpus.version:
        mismatch = (
            f'the golden set is for corpus "{safetext.for_terminal(golden.corpus_version, 60)}", '
            f'but this is "{safetext.for_terminal(corpus.version, 60)}"'
        )
        if not allow_mismatch and not corpus.live:
            raise errors.UserMistake(f"{mismatch}; use --allow-mismatch to measure anyway")
        notes.append(mismatch)
    unknown = golden.unknown_tools({tool.id for tool in corpus.catalog})
    if not unknown:
        return Pair(corpus, golden, (), tuple(notes))
    are = "is" if len(unknown) == 1 else "are"
    absent = f"{figures.counted(len(unknown), 'labelled tool')} {are} not in the corpus: {_some(unknown)}"
    if not allow_unknown:
        raise errors.UserMistake(f"{absent}; use --allow-unknown to leave these labels out")
    kept, lost = _without(golden, frozenset(unknown))
    notes.append(
        f"{absent}; left out, together with {figures.counted(lost, 'question')} without another right tool"
    )
    return Pair(corpus, kept, unknown, tuple(notes))


def _without(golden: GoldenSet, unknown: frozenset[str]) -> tuple[GoldenSet, int]:
    """A question that loses its last right tool is dropped, too: it must not count as unanswerable."""
    left = [(each, _known(each, unknown)) for each in golden.questions]
    kept = tuple(after for before, after in left if after.answerable or not before.answerable)
    if not kept:
        raise errors.UserMistake("no question is left, because no labelled tool is in the corpus")
    return replace(golden, questions=kept), len(golden.questions) - len(kept)


def _known(question: GoldenQuestion, unknown: frozenset[str]) -> GoldenQuestion:
    return replace(question, labels=tuple(label for label in question.labels if label.tool_id not in unknown))


def _some(names: "list[str] | tuple[str, ...]") -> str:
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return ", ".join(safetext.for_terminal(name, 80) for name in names[:_NAMED]) + more


BUILTIN_CORPUS: Final = Path(__file__).with_name("builtin") / "corpus_1.tools.json"
BUILTIN_GOLDEN: Final = Path(__file__).with_name("builtin") / "golden_1.json"


@cache
def builtin_corpus() -> Corpus:
    """The corpus that `toolbooth bench record` made of the eight demo servers."""
    return load_corpus(BUILTIN_CORPUS)


@cache
def builtin_golden() -> GoldenSet:
    """Literal and paraphrased questions, some for several tools, and some that no tool can serve."""
    return load_golden(BUILTIN_GOLDEN)
