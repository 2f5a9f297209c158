"""The golden sets in a folder with the corpora that they name, and the means over all of them."""

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any, Final, NamedTuple

from toolbooth import errors, limits, safetext
from toolbooth.bench import json_file, scores
from toolbooth.bench.corpus import Pair, load_corpus, pair, stated_version
from toolbooth.bench.golden import load_golden
from toolbooth.bench.report import MetricValues, RetrievalSection
from toolbooth.bench.retrieval.scoring import metric_values

_PASSED_BY: Final = ("node_modules", "__pycache__")
_GOLDEN: Final = re.compile(r"^golden[._-]?")


class SetFiles(NamedTuple):
    """A golden file, the file of its corpus, and a name for people."""

    name: str
    golden: Path
    corpus: Path

    def load(self, *, allow_unknown: bool = False) -> Pair:
        """Read both files; raises ConfigError for damaged ones."""
        return pair(load_corpus(self.corpus), load_golden(self.golden), allow_unknown=allow_unknown)


class LeftOut(NamedTuple):
    """A golden set that could not be measured, and why."""

    file: str
    why: str


class FoundSets(NamedTuple):
    """The sets below a folder in the order of their paths, and those that are damaged or lack their corpus."""

    sets: tuple[SetFiles, ...]
    left_out: tuple[LeftOut, ...]


class MeasuredSet(NamedTuple):
    """One set of a folder with its results."""

    name: str
    section: RetrievalSection


def find_sets(folder: Path) -> FoundSets:
    """Read every JSON file below; other JSON files than corpora and golden sets are ignored."""
    if not folder.is_dir():
        raise errors.ConfigError(errors.NO_SUCH_FOLDER, folder)
    wants: dict[Path, str] = {}
    corpora: dict[str, list[Path]] = {}
    left_out: list[LeftOut] = []
    for path, document in _documents(folder, left_out):
        if isinstance(document.get("corpus_version"), str) and "queries" in document:
            wants[path] = document["corpus_version"]
        elif isinstance(document.get("tools"), list | Mapping):
            corpora.setdefault(stated_version(document, path), []).append(path)
    if not wants:
        raise errors.ConfigError(
            "the folder has no golden set, which is a JSON file with corpus_version and queries", folder
        )
    names = _names(folder, list(wants))
    sets = [
        SetFiles(names[golden], golden, _nearest(golden, corpora[version]))
        for golden, version in wants.items()
        if version in corpora
    ]
    left_out += [
        LeftOut(str(golden), f'its corpus "{safetext.for_terminal(version, 60)}" is not in this folder')
        for golden, version in wants.items()
        if version not in corpora
    ]
    return FoundSets(tuple(sets), tuple(left_out))


def means_over(sets: Sequence[MeasuredSet]) -> dict[str, MetricValues]:
    """For each engine the mean of the sets' means: each set counts the same, however many questions it has."""
    by_engine: dict[str, list[MetricValues]] = {}
    for each in sets:
        by_engine.setdefault(each.section.engine, []).append(each.section.metrics)
        for other in each.section.against:
            by_engine.setdefault(other.engine, []).append(other.metrics)
    return {engine: _mean(found) for engine, found in by_engine.items()}


def _mean(found: Sequence[MetricValues]) -> MetricValues:
    flat = [each.flat() for each in found]
    return metric_values(
        scores.metrics_of({measure: fmean(each[measure] for each in flat) for measure in scores.MEASURES})
    )


def _documents(folder: Path, unread: list[LeftOut]) -> Iterator[tuple[Path, Mapping[str, Any]]]:
    """Every object; a damaged file is reported, because it might be a set."""
    for path in sorted(_files(folder)):
        try:
            document = json_file.read_json(path)
        except errors.ConfigError as error:
            unread.append(LeftOut(str(path), error.message))
            continue
        if isinstance(document, Mapping):
            yield path, document


def _files(folder: Path) -> Iterator[Path]:
    seen = 0
    for at, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".") and name not in _PASSED_BY]
        found = [Path(at) / name for name in files if name.endswith(".json")]
        seen += len(found)
        if seen > limits.MAX_SET_FILES:
            raise errors.ConfigError(
                f"has more than {limits.MAX_SET_FILES:,} JSON files; name the folder of the sets", folder
            )
        yield from found


def _nearest(golden: Path, corpora: Sequence[Path]) -> Path:
    """The nearest of several files that hold the same version."""
    return max(corpora, key=lambda each: len(os.path.commonpath([golden, each])))


def _names(folder: Path, golden: Sequence[Path]) -> dict[Path, str]:
    """The folder's name, with the file's if the folder has several; the whole path if that is ambiguous."""
    several = [path.parent for path in golden]
    short = {path: _name(folder, path, alone=several.count(path.parent) == 1) for path in golden}
    taken = list(short.values())
    return {
        path: name if taken.count(name) == 1 else str(path.relative_to(folder))
        for path, name in short.items()
    }


def _name(folder: Path, path: Path, *, alone: bool) -> str:
    home = path.parent.relative_to(folder).as_posix().removeprefix(".")
    own = _GOLDEN.sub("", path.name.removesuffix(".json"))
    return " ".join(part for part in (home, "" if alone and home else own) if part) or path.name
