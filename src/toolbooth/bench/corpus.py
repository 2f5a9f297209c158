"""A corpus file → its tools under a version; a corpus × a golden set → a pair that fits, or the reason why not."""

from collections.abc import Iterator, Mapping
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
    """Tools that do not change under the same version.

    `notes` say what it lacks; `troubles` are what failed just now. A `live` one has no version to hold questions to.
    """

    version: str
    catalog: Catalog
    notes: tuple[str, ...] = ()
    troubles: tuple[str, ...] = ()
    live: bool = False


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
    _refuse_holes(catalog, path)
    if not catalog.tools:
        raise ConfigError("there is no tool in it: nothing can be measured", path)
    return Corpus(stated_version(document, path), catalog, tuple(_lacks(catalog)))


def _lacks(catalog: Catalog) -> Iterator[str]:
    for name, why in catalog.missing:
        yield f"the corpus lacks {for_terminal(name, 60)}: {for_terminal(why, 200)}"
    for each in catalog.set_aside:
        if each.kind == "cut":
            yield f"the corpus does not hold all of {for_terminal(each.server, 60)}: {for_terminal(each.reason, 200)}"


def _refuse_holes(catalog: Catalog, path: Path) -> None:
    """Entries that would be left out in silence: a corpus is frozen, so whoever made it can mend it."""
    aside = {
        kind: [each for each in catalog.set_aside if each.kind == kind] for kind in ("duplicate", "malformed")
    }
    twice = [f"{each.server}:{each.name}" for each in aside["duplicate"]]
    if twice:
        said = f"{_counted(len(twice), 'tool')} {'stands' if len(twice) == 1 else 'stand'} in it twice"
        raise ConfigError(f"{said}: {_some(twice)}; keep one of each", path)
    wrong = [f"{each.server}:{each.name or '(no name)'} ({each.reason})" for each in aside["malformed"]]
    if wrong:
        said = "1 entry is no tool" if len(wrong) == 1 else f"{len(wrong):,} entries are no tools"
        raise ConfigError(f"{said}: {_some(wrong)}; mend or remove what is wrong", path)


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
    notes = list(corpus.notes)
    if golden.corpus_version != corpus.version:
        said = (
            f'the golden set is for corpus "{for_terminal(golden.corpus_version, 60)}", '
            f'and this is "{for_terminal(corpus.version, 60)}"'
        )
        if not allow_mismatch and not corpus.live:
            raise UserMistake(f"{said}; --allow-mismatch measures it all the same")
        notes.append(said)
    unknown = golden.unknown_tools({tool.id for tool in corpus.catalog})
    if not unknown:
        return Pair(corpus, golden, (), tuple(notes))
    are = "is" if len(unknown) == 1 else "are"
    said = f"{_counted(len(unknown), 'labelled tool')} {are} not in the corpus: {_some(unknown)}"
    if not allow_unknown:
        raise UserMistake(f"{said}; --allow-unknown leaves these labels out")
    kept, lost = _without(golden, frozenset(unknown))
    notes.append(f"{said}; left out, and with them {_counted(lost, 'question')} that no other label answers")
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


def _counted(amount: int, noun: str) -> str:
    return f"{amount:,} {noun}{'' if amount == 1 else 's'}"


def _some(names: "list[str] | tuple[str, ...]") -> str:
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return ", ".join(for_terminal(name, 80) for name in names[:_NAMED]) + more
