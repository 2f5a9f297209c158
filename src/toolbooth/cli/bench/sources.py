"""The corpus and the questions of a benchmark, from the files, configs or command that the user named."""

import os
from argparse import Namespace
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

from toolbooth import bench, errors, limits, safetext
from toolbooth.catalog import Catalog, NotJson, Sources, decode, looks_like_catalog
from toolbooth.cli import arguments, sources

Add = Callable[..., object]
Section = TypeVar("Section")


def add_tools(add: Add) -> None:
    """Options for the tools; the default is the built-in corpus."""
    add("config", nargs="*", metavar="CONFIG", help="config files, folders, URLs: their servers are listed")
    add("--catalog", metavar="FILE", help="a corpus or catalog file instead; no server is started")
    add("--timeout", type=arguments.seconds, metavar="S", help="seconds for each server (default 60)")


def add_questions(add: Add) -> None:
    """Add the options that name questions."""
    add("--golden", metavar="FILE", help="a golden set: questions and the tools that answer them")
    add("--allow-unknown", action="store_true", help="ignore labels of tools that the corpus lacks")
    add("--allow-mismatch", action="store_true", help="use a golden set with another version of its corpus")


def names_tools(options: Namespace, command: Sequence[str]) -> bool:
    """Whether the user named any tools."""
    return bool(options.catalog or options.config or command)


def corpus_of(options: Namespace, command: Sequence[str]) -> bench.Corpus:
    """The named tools, or the built-in ones."""
    if options.catalog and (options.config or command):
        raise errors.UserMistake("choose one: --catalog FILE, or configs and commands of live servers")
    if options.catalog:
        return bench.load_corpus(Path(options.catalog))
    if not names_tools(options, command):
        return bench.builtin_corpus()
    return _frozen(options, command) or _listed(options, command)


def _frozen(options: Namespace, command: Sequence[str]) -> bench.Corpus | None:
    """A single catalog file keeps its version, whether it was named with --catalog or not."""
    for name in options.config:
        if name and "://" not in name and not os.path.exists(os.path.expanduser(name)):  # noqa: PTH110, PTH111
            raise errors.ConfigError(f"{errors.NO_SUCH_FILE} or folder", name)
    if command or len(options.config) != 1 or "://" in options.config[0]:
        return None
    path = Path(os.path.expanduser(options.config[0]))  # noqa: PTH111 - `~nobody` is a name like any other
    try:
        small = path.is_file() and path.stat().st_size <= limits.MAX_CATALOG_BYTES
        document = decode(path.read_bytes()) if small else None
    except (OSError, NotJson):
        return None  # read again as a config, which says exactly what is wrong
    return bench.read_corpus(document, path) if looks_like_catalog(document) else None


def _listed(options: Namespace, command: Sequence[str]) -> bench.Corpus:
    """Live servers; one that failed is named in the report, which would otherwise look complete."""
    loaded = sources.load_sources(
        options.config, command, options.timeout, chosen=_refuse_wrong_files, used="measured"
    )
    catalog = loaded.catalog
    source_errors = tuple(
        f"{safetext.for_terminal(each.where, 100)}: {each.reason}" for each in loaded.sources.source_errors
    )
    notes = tuple(f"not measured: {each}" for each in (*source_errors, *_left_out(catalog)))
    return bench.Corpus(f"live-{catalog.fingerprint[:12]}", catalog, notes, source_errors, live=True)


def _refuse_wrong_files(found: Sources) -> Sources:
    """A broken file is refused before any server is started, as a missing one is."""
    for wrong in found.wrong_files:
        raise errors.UserMistake(f"{wrong.where}: {wrong.reason}")
    return found


def _left_out(catalog: Catalog) -> Iterator[str]:
    """Entries of a server's list that are not tools; a truncated list is already an error."""
    for each in catalog.set_aside:
        if each.kind != "cut":
            yield safetext.for_terminal(f"{each.server}.{each.name or '(no name)'}: {each.reason}", 200)


def corpus_in(measured: bench.Corpus | bench.Pair) -> bench.Corpus:
    """The tools of what is measured."""
    return measured if isinstance(measured, bench.Corpus) else measured.corpus


def noted(section: Section, measured: bench.Corpus | bench.Pair) -> Section:
    """The section with the corpus's notes added."""
    import msgspec

    said: Any = section
    new = [each for each in corpus_in(measured).notes if each not in said.notes]
    return msgspec.structs.replace(said, notes=(*said.notes, *new)) if new else section


def pair_of(options: Namespace, command: Sequence[str]) -> bench.Pair:
    """Tools and questions that fit; the built-in questions go with the built-in tools only."""
    corpus = corpus_of(options, command)
    if options.golden:
        golden = bench.load_golden(Path(options.golden))
    elif names_tools(options, command):
        raise errors.UserMistake(
            "name the questions for these tools with --golden FILE; docs/guide/bench.md shows the format"
        )
    else:
        golden = bench.builtin_golden()
    return bench.pair(
        corpus, golden, allow_unknown=options.allow_unknown, allow_mismatch=options.allow_mismatch
    )


def maybe_pair_of(options: Namespace, command: Sequence[str]) -> bench.Corpus | bench.Pair:
    """The catalog, with its questions if any are named."""
    if names_tools(options, command) and not options.golden:
        return corpus_of(options, command)
    return pair_of(options, command)
