"""A corpus file → its tools under a version; a corpus × a golden set → a pair that fits, or the reason why not."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, NamedTuple

from toolbooth.bench.golden import GoldenSet, Question
from toolbooth.bench.json_file import read_json
from toolbooth.catalog import Catalog, read_catalog
from toolbooth.errors import ConfigError, UserMistake
from toolbooth.safetext import for_terminal

_NAMED: Final = 3  # examples in a message
_SUFFIXES: Final = (".json", ".tools")


@dataclass(frozen=True)
class Corpus:
    """Tools that do not change under the same version."""

    version: str
    catalog: Catalog


class Pair(NamedTuple):
    """Questions whose labels are all tools of the corpus, and what was left out to make that true."""

    corpus: Corpus
    golden: GoldenSet
    unknown: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def load_corpus(path: Path) -> Corpus:
    """Read a corpus or any catalog file; raises ConfigError where it is empty or names a tool twice."""
    return read_corpus(read_json(path, "a corpus"), path)


def read_corpus(document: Any, path: Path) -> Corpus:
    """Read a parsed one."""
    catalog = read_catalog(document, path)
    twice = [f"{each.server}:{each.name}" for each in catalog.set_aside if each.kind == "duplicate"]
    if twice:
        raise ConfigError(f"{len(twice)} tools stand in it twice: {_some(twice)}; keep one of each", path)
    if not catalog.tools:
        raise ConfigError("there is no tool in it: nothing can be measured", path)
    return Corpus(stated_version(document, path), catalog)


def stated_version(document: Any, path: Path) -> str:
    """Its own, or the fingerprint of a catalog file, or the name of the file."""
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
    """Refuse what would make the figures wrong, unless it is allowed; then it is said."""
    notes = []
    if golden.corpus_version != corpus.version:
        said = (
            f'the golden set is for corpus "{for_terminal(golden.corpus_version, 60)}", '
            f'and this is "{for_terminal(corpus.version, 60)}"'
        )
        if not allow_mismatch:
            raise UserMistake(f"{said}; --allow-mismatch measures it all the same")
        notes.append(said)
    unknown = golden.unknown_tools({tool.id for tool in corpus.catalog})
    if not unknown:
        return Pair(corpus, golden, (), tuple(notes))
    said = f"{len(unknown)} labelled tools are not in the corpus: {_some(unknown)}"
    if not allow_unknown:
        raise UserMistake(f"{said}; --allow-unknown leaves these labels out")
    kept, lost = _without(golden, frozenset(unknown))
    notes.append(f"{said}; left out, and with them {lost} questions that no other label answers")
    return Pair(corpus, kept, unknown, tuple(notes))


def _without(golden: GoldenSet, unknown: frozenset[str]) -> tuple[GoldenSet, int]:
    """A question that loses its last right tool goes, too: it has not become one that nothing can serve."""
    left = [(each, _known(each, unknown)) for each in golden.questions]
    kept = tuple(after for before, after in left if after.answerable or not before.answerable)
    if not kept:
        raise UserMistake("no question is left: none of the labelled tools is in the corpus")
    return replace(golden, questions=kept), len(golden.questions) - len(kept)


def _known(question: Question, unknown: frozenset[str]) -> Question:
    return replace(question, labels=tuple(label for label in question.labels if label.tool_id not in unknown))


def _some(names: "list[str] | tuple[str, ...]") -> str:
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return ", ".join(for_terminal(name, 80) for name in names[:_NAMED]) + more
