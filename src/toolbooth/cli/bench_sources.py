"""What a user named for a benchmark (files, configs, a command, nothing) → a corpus, and the questions for it."""

from argparse import Namespace
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from toolbooth.cli.arguments import seconds
from toolbooth.errors import UserMistake

if TYPE_CHECKING:
    from toolbooth.bench import Corpus, Pair

Add = Callable[..., object]


def add_tools(add: Add) -> None:
    """Where the tools come from; nothing named is the built-in corpus."""
    add("config", nargs="*", metavar="CONFIG", help="config files, folders, URLs: their servers are listed")
    add(
        "--catalog", "--corpus", metavar="FILE", help="a corpus or catalog file instead: no server is started"
    )
    add("--timeout", type=seconds, metavar="S", help="seconds for each server (default 60)")


def add_questions(add: Add) -> None:
    """Where the questions come from."""
    add("--golden", metavar="FILE", help="a golden set: questions, and the tools that answer them")
    add("--allow-unknown", action="store_true", help="leave out labels of tools that the corpus lacks")
    add("--allow-mismatch", action="store_true", help="measure a golden set on another version of its corpus")


def names_tools(options: Namespace, command: Sequence[str]) -> bool:
    """Whether anything was named."""
    return bool(options.catalog or options.config or command)


def corpus_of(options: Namespace, command: Sequence[str]) -> "Corpus":
    """The named tools, or the built-in ones."""
    from toolbooth.bench import Corpus, load_corpus

    if options.catalog and (options.config or command):
        raise UserMistake("choose one: --catalog names a file, configs and commands are live servers")
    if options.catalog:
        return load_corpus(Path(options.catalog))
    if not names_tools(options, command):
        from toolbooth.bench.builtin import builtin_corpus

        return builtin_corpus()
    from toolbooth.cli.sources import load_sources

    catalog = load_sources(options.config, command, options.timeout).catalog
    if not catalog.tools:
        raise UserMistake("these servers offer no tools: nothing can be measured")
    return Corpus(f"live-{catalog.fingerprint[:12]}", catalog)


def pair_of(options: Namespace, command: Sequence[str]) -> "Pair":
    """Tools and questions that fit; the built-in questions go with the built-in tools only."""
    from toolbooth.bench import load_golden, pair

    corpus = corpus_of(options, command)
    if options.golden:
        golden = load_golden(Path(options.golden))
    elif names_tools(options, command):
        raise UserMistake("name the questions for these tools with --golden FILE; README shows the format")
    else:
        from toolbooth.bench.builtin import builtin_golden

        golden = builtin_golden()
    return pair(corpus, golden, allow_unknown=options.allow_unknown, allow_mismatch=options.allow_mismatch)


def maybe_pair_of(options: Namespace, command: Sequence[str]) -> "Corpus | Pair":
    """The same where questions are welcome and not needed."""
    if names_tools(options, command) and not options.golden:
        return corpus_of(options, command)
    return pair_of(options, command)
