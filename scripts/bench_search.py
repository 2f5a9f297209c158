"""What `toolbooth bench retrieval` does not measure: bm25s and fastmcp beside our engines, search times, and scale.

It reads `retrieval` and `scale` in the folder of `--data`, and measures nothing without one. `--peers` first installs
bm25s and fastmcp below .cache; without them their columns say so. `--few N` asks the first N questions of each set.
"""

import argparse
import asyncio
import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import orjson

from toolbooth.bench import Pair, SearchFunction, load_corpus
from toolbooth.bench.report import EngineScores, RetrievalSection
from toolbooth.bench.retrieval import EngineRun, engine_named, find_sets, measure_retrieval
from toolbooth.catalog import Catalog

ROOT = Path(__file__).resolve().parent.parent
PEERS = ROOT / ".cache" / "search-peers"
OURS = ("toolbooth", "words", "bm25")
OTHERS = ("bm25s", "fastmcp")
DEPTH = 10


class Answers(NamedTuple):
    """Rankings of catalog ids for every query, the seconds each took, and those of the index."""

    rankings: dict[str, list[str]]
    seconds: list[float]
    build: float


def ask(search: Callable[[str], Sequence[str]], queries: Sequence[str], build: float) -> Answers:
    search(queries[0])
    rankings, seconds = {}, []
    for query in queries:
        start = time.perf_counter()
        rankings[query] = list(search(query))
        seconds.append(time.perf_counter() - start)
    return Answers(rankings, seconds, build)


class Built(NamedTuple):
    """An engine of the product over a catalog, and the seconds that it took; its first search is part of them."""

    search: SearchFunction
    seconds: float


def build(name: str, catalog: Catalog) -> Built:
    start = time.perf_counter()
    search = engine_named(name).over(catalog)
    search("ready")
    return Built(search, time.perf_counter() - start)


def peer(name: str, catalog: Catalog, queries: Sequence[str]) -> Answers | None:
    """A peer in a process of its own, so that its dependencies are its own."""
    if not (PEERS / name).is_dir():
        return None
    tools = [(tool.id, tool.server, tool.name, tool.description, tool.input_schema) for tool in catalog]
    done = subprocess.run(
        [sys.executable, __file__, "--as-peer", name],
        input=orjson.dumps([tools, queries]),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": str(PEERS)},
        check=False,
    )
    return Answers(*orjson.loads(done.stdout)) if done.returncode == 0 else None


def as_bm25s(tools: list[Any], queries: list[str]) -> Answers:
    import bm25s  # type: ignore[import-not-found, import-untyped, unused-ignore]
    import Stemmer  # type: ignore[import-not-found, unused-ignore]

    start = time.perf_counter()
    stemmer = Stemmer.Stemmer("english")
    texts = [f"{name.replace('_', ' ')} {server} {said}" for _, server, name, said, _ in tools]
    index = bm25s.BM25()
    index.index(
        bm25s.tokenize(texts, stopwords="en", stemmer=stemmer, show_progress=False), show_progress=False
    )

    def search(query: str) -> list[str]:
        words = bm25s.tokenize([query], stopwords="en", stemmer=stemmer, show_progress=False)
        found, scores = index.retrieve(words, k=min(DEPTH, len(tools)), show_progress=False)
        return [tools[at][0] for at, worth in zip(found[0], scores[0], strict=True) if worth > 0]

    return ask(search, queries, time.perf_counter() - start)


def as_fastmcp(tools: list[Any], queries: list[str]) -> Answers:
    """Its BM25 transform as it stands, asked for ten; names carry the server, as its mounts give them."""
    from fastmcp.server.transforms.search import (  # type: ignore[import-not-found, unused-ignore]
        BM25SearchTransform,
    )
    from fastmcp.tools.base import Tool  # type: ignore[import-not-found, unused-ignore]

    names = {f"{server}_{name}": ident for ident, server, name, _, _ in tools}
    made = [
        Tool(
            name=f"{server}_{name}",
            description=said,
            parameters=schema or {"type": "object", "properties": {}},
        )
        for _, server, name, said, schema in tools
    ]
    transform = BM25SearchTransform(max_results=DEPTH)
    loop = asyncio.new_event_loop()

    def search(query: str) -> list[str]:
        found = loop.run_until_complete(transform._search(made, query))
        return [names[each.name] for each in found]

    start = time.perf_counter()
    search("ready")
    return ask(search, queries, time.perf_counter() - start)


def report(name: str, pair: Pair) -> None:
    catalog, questions = pair.corpus.catalog, pair.golden.questions
    queries = [question.query for question in questions]
    print(f"\n{name}: {len(catalog):,} tools of {len(catalog.servers)} servers, {len(queries)} questions")
    built = {each: build(each, catalog) for each in OURS}
    found = {each: ask(made.search, queries, made.seconds) for each, made in built.items()}
    absent = []
    for each in OTHERS:
        answers = peer(each, catalog, queries)
        if answers is None:
            absent.append(each)
        else:
            found[each] = answers
    ours, *others = (
        EngineRun(each, {question.id: answers.rankings[question.query] for question in questions})
        for each, answers in found.items()
    )
    section = measure_retrieval(pair, ours, against=others)
    engines: list[RetrievalSection | EngineScores] = [section, *section.against]
    for scored in engines:
        print(f"  {scored.engine:12} {_quality(scored)}   {_times(found[scored.engine])}", flush=True)
    for each in absent:
        print(f"  {each:12} absent or failed: run with --peers")


def _quality(scored: RetrievalSection | EngineScores) -> str:
    means, bounds = scored.metrics.flat(), scored.intervals
    return "   ".join(
        f"{label} {means[each]:.3f} [{bounds[each][0]:.3f}, {bounds[each][1]:.3f}]"
        for label, each in (("nDCG@10", "ndcg_at_10"), ("R@5", "recall_at_5"))
    )


def _times(answers: Answers) -> str:
    p50, p95 = np.percentile(answers.seconds, [50, 95]) * 1000
    return f"p50 {p50:6.2f} ms  p95 {p95:6.2f} ms  build {answers.build:5.2f} s"


def scale(path: Path, queries: Sequence[str]) -> None:
    catalog = load_corpus(path).catalog
    before = _resident()
    print(f"\nscale: {len(catalog):,} tools of {len(catalog.servers):,} servers, {len(queries)} questions")
    made = build("toolbooth", catalog)  # held until its memory is read
    times = _times(ask(made.search, queries, made.seconds))
    print(f"  toolbooth    {times}   memory +{_resident() - before:.0f} MB")


def _resident() -> float:
    pages = int(Path("/proc/self/statm").read_text().split()[1]) if Path("/proc/self/statm").exists() else 0
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, metavar="FOLDER")
    parser.add_argument("--peers", action="store_true")
    parser.add_argument("--few", type=int, default=None)
    parser.add_argument("--as-peer", choices=OTHERS, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.as_peer:
        run = as_bm25s if options.as_peer == "bm25s" else as_fastmcp
        sys.stdout.buffer.write(orjson.dumps(list(run(*orjson.loads(sys.stdin.buffer.read())))))
        return
    if options.data is None:
        print("search is not compared: name the folder of the question sets with --data")
        return
    if options.peers:
        install = [sys.executable, "-m", "pip", "install", "-q", "--upgrade", "--target", str(PEERS)]
        subprocess.run([*install, *OTHERS], check=False)
    print(
        f"reads {options.data}; Python {sys.version.split()[0]}, {os.cpu_count()} cores; intervals 95 %, seeded"
    )
    asked: list[str] = []
    for each in find_sets(options.data / "retrieval").sets:
        pair = each.load()
        asked = [one.query for one in pair.golden.questions] if each.name == "mcpzero" else asked
        few = replace(pair.golden, questions=pair.golden.questions[: options.few])
        report(each.name, pair._replace(golden=few))
    if (large := options.data / "scale" / "toucan.tools.json").is_file():
        scale(large, asked)


if __name__ == "__main__":
    main()
