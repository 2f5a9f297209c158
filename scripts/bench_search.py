"""How well and how fast tools are found: our engine beside plain BM25, bm25s and fastmcp, in one run.

Reads ../shared/data, and says so and ends where it is absent. `--peers` first installs bm25s and fastmcp below
.cache; without them their columns say so. `--few N` asks only the first N questions of each set.
"""

import argparse
import asyncio
import math
import os
import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import orjson

from toolbooth.bench import GoldenSet, bootstrap_mean, load_golden, score
from toolbooth.catalog import Catalog, decode, read_catalog
from toolbooth.search import SearchEngine

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT.parent / "shared" / "data"
PEERS = ROOT / ".cache" / "search-peers"
SETS = {
    "mcpproxy": ("mcpproxy/corpus_v1.tools.json", "mcpproxy/retrieval_golden_v1.json"),
    "mcpzero": ("mcpzero/corpus.tools.json", "mcpzero/golden.json"),
    "livemcpbench": ("livemcpbench/corpus.tools.json", "livemcpbench/golden.json"),
    "etom l1": ("etom/corpus.tools.json", "etom/golden.l1.json"),
    "etom l3": ("etom/corpus.tools.json", "etom/golden.l3.json"),
    "metatool": ("metatool/corpus.tools.json", "metatool/golden.json"),
    "sealtools": ("sealtools/corpus.tools.json", "sealtools/golden.json"),
}
DEPTH = 10


class Answers(NamedTuple):
    """Rankings of catalog ids for every question, the seconds each took, and those of the index."""

    rankings: dict[str, list[str]]
    seconds: list[float]
    build: float


def load_catalog(path: Path) -> Catalog:
    """A corpus as a catalog."""
    return read_catalog(decode(path.read_bytes()), path)


def ask(search: Callable[[str], list[str]], queries: Sequence[str], build: float) -> Answers:
    search(queries[0])
    rankings, seconds = {}, []
    for query in queries:
        start = time.perf_counter()
        rankings[query] = search(query)
        seconds.append(time.perf_counter() - start)
    return Answers(rankings, seconds, build)


def ours(catalog: Catalog, queries: Sequence[str], **options: Any) -> Answers:
    start = time.perf_counter()
    engine = SearchEngine.of(catalog, **options)
    return answer(engine, queries, start)


def answer(engine: SearchEngine, queries: Sequence[str], start: float) -> Answers:
    engine.search("ready")
    build = time.perf_counter() - start
    return ask(lambda query: [hit.tool.id for hit in engine.search(query, DEPTH).hits], queries, build)


def plain(catalog: Catalog, queries: Sequence[str]) -> Answers:
    """BM25 (k1 1.2, b .75) over lower-case words of name and description, nothing else."""
    start = time.perf_counter()
    bags = [Counter(_words(f"{tool.name} {tool.description}")) for tool in catalog]
    lengths = np.array([bag.total() for bag in bags])
    postings: dict[str, list[tuple[int, int]]] = {}
    for at, bag in enumerate(bags):
        for word, count in bag.items():
            postings.setdefault(word, []).append((at, count))
    norm = 1.2 * (0.25 + 0.75 * lengths / max(lengths.mean(), 1))

    def search(query: str) -> list[str]:
        scores = np.zeros(len(bags))
        for word in _words(query):
            held = postings.get(word, [])
            idf = math.log(1 + (len(bags) - len(held) + 0.5) / (len(held) + 0.5))
            for at, count in held:
                scores[at] += idf * count * 2.2 / (count + norm[at])
        return [catalog.tools[at].id for at in np.argsort(-scores, kind="stable")[:DEPTH] if scores[at] > 0]

    return ask(search, queries, time.perf_counter() - start)


def _words(text: str) -> list[str]:
    return re.findall(r"[a-z0-9]+", text.lower())


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


ENGINES: dict[str, Callable[[Catalog, Sequence[str]], Answers | None]] = {
    "plain BM25": plain,
    "bm25s": lambda catalog, queries: peer("bm25s", catalog, queries),
    "fastmcp": lambda catalog, queries: peer("fastmcp", catalog, queries),
    "toolbooth, words alone": lambda catalog, queries: ours(catalog, queries, embedder=None),
    "toolbooth": ours,
}


def report(name: str, catalog: Catalog, golden: GoldenSet) -> None:
    queries = [question.query for question in golden.questions]
    print(f"\n{name}: {len(catalog):,} tools of {len(catalog.servers)} servers, {len(queries)} questions")
    for engine, run in ENGINES.items():
        answers = run(catalog, queries)
        if answers is None:
            print(f"  {engine:24} absent or failed: run with --peers")
            continue
        scores = score(lambda query, found=answers.rankings: found[query], golden)  # type: ignore[misc]
        ndcg, recall = (bootstrap_mean(scores.values(each)) for each in ("ndcg_at_10", "recall_at_5"))
        quality = "   ".join(
            f"{label} {each.mean:.3f} [{each.low:.3f}, {each.high:.3f}]"
            for label, each in (("nDCG@10", ndcg), ("R@5", recall))
        )
        print(f"  {engine:24} {quality}   {_times(answers)}", flush=True)


def _times(answers: Answers) -> str:
    p50, p95 = np.percentile(answers.seconds, [50, 95]) * 1000
    return f"p50 {p50:6.2f} ms  p95 {p95:6.2f} ms  build {answers.build:5.2f} s"


def scale(queries: Sequence[str]) -> None:
    catalog = load_catalog(DATA / "scale" / "toucan.tools.json")
    before = _resident()
    print(f"\nscale: {len(catalog):,} tools of {len(catalog.servers):,} servers, {len(queries)} questions")
    start = time.perf_counter()
    engine = SearchEngine.of(catalog)
    times = _times(answer(engine, queries, start))
    print(f"  toolbooth                {times}   memory +{_resident() - before:.0f} MB")


def _resident() -> float:
    pages = int(Path("/proc/self/statm").read_text().split()[1]) if Path("/proc/self/statm").exists() else 0
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--peers", action="store_true")
    parser.add_argument("--few", type=int, default=None)
    parser.add_argument("--as-peer", choices=["bm25s", "fastmcp"], help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.as_peer:
        run = as_bm25s if options.as_peer == "bm25s" else as_fastmcp
        sys.stdout.buffer.write(orjson.dumps(list(run(*orjson.loads(sys.stdin.buffer.read())))))
        return
    if not DATA.is_dir():
        print(f"{DATA} is absent: nothing to measure")
        return
    if options.peers:
        install = [sys.executable, "-m", "pip", "install", "-q", "--upgrade", "--target", str(PEERS)]
        subprocess.run([*install, "bm25s", "fastmcp"], check=False)
    print(f"reads {DATA}; Python {sys.version.split()[0]}, {os.cpu_count()} cores; intervals 95 %, seeded")
    for name, (corpus, questions) in SETS.items():
        golden = load_golden(DATA / "retrieval" / questions)
        golden = replace(golden, questions=golden.questions[: options.few])
        report(name, load_catalog(DATA / "retrieval" / corpus), golden)
    asked = load_golden(DATA / "retrieval" / SETS["mcpzero"][1]).questions
    scale([question.query for question in asked])


if __name__ == "__main__":
    main()
