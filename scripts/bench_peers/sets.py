"""A question set as files that servers can serve, and its questions, under names that all contenders accept."""

import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from toolbooth.bench import Corpus, GoldenQuestion, Label, Pair, load_corpus, load_golden, pair
from toolbooth.bench.corpus import builtin_corpus, builtin_golden
from toolbooth.catalog.config.merging import clean_name, free_name

ROOT = Path(__file__).resolve().parents[2]
SERVER = Path(__file__).with_name("corpus_server.py")


class Files(NamedTuple):
    """The files of one set in `retrieval` of the data folder."""

    corpus: str
    golden: str


SETS: Mapping[str, Files] = {
    "mcpproxy": Files("mcpproxy/corpus_v2.tools.json", "mcpproxy/retrieval_golden_v1.json"),
    "livemcpbench": Files("livemcpbench/corpus.tools.json", "livemcpbench/golden.json"),
    "mcpzero": Files("mcpzero/corpus.tools.json", "mcpzero/golden.json"),
}
BUILT_IN = "builtin"
AT_ONCE = 12  # servers up to which all contenders run at the same time, and take turns


@dataclass(frozen=True)
class PeerSet:
    """Tools and questions that fit, and a command for each server."""

    name: str
    pair: Pair
    servers: dict[str, list[str]]

    @property
    def at_once(self) -> bool:
        return len(self.servers) <= AT_ONCE


def names(data: Path | None) -> tuple[str, ...]:
    """The sets of the data folder; the built-in corpus without one."""
    if data is None:
        return (BUILT_IN,)
    return tuple(name for name, files in SETS.items() if (data / "retrieval" / files.corpus).exists())


def load(name: str, folder: Path, few: int | None, data: Path | None = None) -> PeerSet:
    """Read a set, clean the names of its servers, and write a file for each; `few` keeps the first questions."""
    given = _pair(name, data)
    renames = _renames(given.corpus)
    questions = tuple(_renamed(question, renames) for question in given.golden.questions)[:few]
    golden = replace(given.golden, questions=questions)
    written = {server: _write(given.corpus, server, clean, folder) for server, clean in renames.items()}
    corpus = _joined(given.corpus, written.values(), folder)
    return PeerSet(name, Pair(corpus, golden, given.unknown, given.notes), _commands(renames, written))


def _pair(name: str, data: Path | None) -> Pair:
    if name == BUILT_IN or data is None:
        return pair(builtin_corpus(), builtin_golden())
    files, sets = SETS[name], data / "retrieval"
    corpus, golden = load_corpus(sets / files.corpus), load_golden(sets / files.golden)
    return pair(corpus, golden, allow_mismatch=True)  # the questions of mcpproxy are older than its schemas


def _renames(corpus: Corpus) -> dict[str, str]:
    """The names that Toolbooth would use in a config; the others accept any name."""
    found: dict[str, str] = {}
    for each in corpus.catalog.servers:
        found[each.server] = free_name(clean_name(each.server) or "server", set(found.values()))
    return found


def _renamed(question: GoldenQuestion, renames: Mapping[str, str]) -> GoldenQuestion:
    labels = []
    for label in question.labels:
        server, _, tool = label.tool.partition(".")
        labels.append(Label(f"{renames.get(server, server)}:{tool}", label.relevance, label.group))
    return replace(question, labels=tuple(labels))


def _write(corpus: Corpus, server: str, clean: str, folder: Path) -> Path:
    tools = next(each.tools for each in corpus.catalog.servers if each.server == server)
    entries: list[dict[str, Any]] = [
        {
            "tool_id": f"{clean}:{tool.name}",
            "server": clean,
            "tool": tool.name,
            "description": tool.description,
            "schema": tool.input_schema,
        }
        for tool in tools
    ]
    path = folder / f"{clean}.json"
    path.write_text(json.dumps({"version": corpus.version, "tools": entries}), encoding="utf-8")
    return path


def _joined(corpus: Corpus, parts: Any, folder: Path) -> Corpus:
    """The corpus under the clean names, as it would be read from a file."""
    entries = [entry for part in parts for entry in json.loads(part.read_text(encoding="utf-8"))["tools"]]
    path = folder / "corpus.tools.json"
    path.write_text(json.dumps({"version": corpus.version, "tools": entries}), encoding="utf-8")
    return load_corpus(path)


def _commands(renames: Mapping[str, str], written: Mapping[str, Path]) -> dict[str, list[str]]:
    return {
        clean: [sys.executable, "-IS", str(SERVER), str(written[server]), clean]
        for server, clean in renames.items()
    }
