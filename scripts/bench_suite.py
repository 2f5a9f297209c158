"""How long it takes to load and score recorded runs of agents, beside plain `json.loads` of the same files.

`--runs N` asks for fewer than 10,000; `--json FILE` writes the figures as well.
"""

import argparse
import gc
import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

import orjson

from toolbooth.catalog import decode
from toolbooth.suite import score_selection
from toolbooth.suite.recordings.cassette_json import Cassette, cassette_bytes, read_cassette
from toolbooth.suite.recordings.folder import CassetteFolder
from toolbooth.suite.report import CellKey
from toolbooth.suite.trace import Exchange, MadeCall, Trace, Turn, Usage

CELLS_OF = 10  # runs of one cell
ROUNDS = 5
SERVERS = ("calendar", "mail", "notes", "tickets")
CLASSES = {"find": ["search_tickets", "notes.find"], "write": ["create_ticket"], "tell": ["mail.send"]}
TOOLS = ("search_tickets", "create_ticket", "send", "list_events")
MENU = [
    {
        "name": f"{server}_{number}",
        "description": "Does one thing of many, and says what came of it.",
        "inputSchema": {"type": "object", "properties": {"query": {"type": "string"}}},
    }
    for server in SERVERS
    for number in range(25)
]
Thing = TypeVar("Thing")


def trace_of(number: int, menu: str) -> Trace:
    """Four turns of some 500 bytes each."""
    turns = tuple(
        Turn(
            text=f"I look for what was asked, step {step} of run {number}.",
            exchanges=(exchange_of(number, step),) if step < 3 else (),
            usage=Usage(1200 + 90 * step, 40, 0, 0, False),
            cost=0.0041 + number % 7 / 1000,
        )
        for step in range(4)
    )
    prompt = (
        "Find the open ticket about the broken door, write a new one for the window, and tell Ada by mail."
    )
    return Trace(
        prompt, "You are careful.", "openai:some-model", "search", menu, menu, turns, "done", "", 3.2
    )


def exchange_of(number: int, step: int) -> Exchange:
    name = TOOLS[(number + step) % len(TOOLS)]
    arguments = {"query": f"door {number}", "limit": 5, "labels": ["open", "urgent"], "note": "é" * 20}
    made = MadeCall(name, SERVERS[(number + step) % len(SERVERS)], arguments)
    result = json.dumps([{"id": number + each, "title": "the door is broken again"} for each in range(4)])
    return Exchange("call_tool", {"name": made.id, "arguments": arguments}, result, False, (made,))


def write_all(folder: CassetteFolder, runs: int) -> list[CellKey]:
    """Without a flush for each, which would measure the disk."""
    menu = folder.write_menu(MENU)
    keys = [CellKey(f"test {cell}", "openai:some-model", "search") for cell in range(-(-runs // CELLS_OF))]
    for number in range(runs):
        key, run = keys[number // CELLS_OF], number % CELLS_OF + 1
        cassette = Cassette(key, trace_of(number, menu), run, "", SERVERS)
        folder.path_of(key, run).write_bytes(cassette_bytes(cassette))
    return keys


def load_and_score(folder: CassetteFolder, keys: list[CellKey]) -> int:
    """As a suite does: every run of every cell, its score, and the weight of what the model saw."""
    found = 0
    for key in keys:
        traces = [folder.read(key, run).trace for run in folder.runs(key)]
        found += score_selection(CLASSES, [trace.observed for trace in traces]).tp
        found += sum(folder.surface_tokens(trace.menu) is None for trace in traces)
    return found


def each_of(things: Sequence[Thing], work: Callable[[Thing], object]) -> None:
    """The results are dropped at once, as a suite does cell by cell."""
    for thing in things:
        work(thing)


def seconds_of(work: Callable[[], object]) -> float:
    gc.collect()
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def measure(path: Path, runs: int) -> dict[str, float]:
    """Seconds of each step alone, and of all together; medians of some rounds in turn."""
    keys = write_all(CassetteFolder(path), runs)
    paths = sorted(path.glob("*.json"))
    files = [each.read_bytes() for each in paths]
    observed = [read_cassette(data, path).trace.observed for data in files]
    works: dict[str, Callable[[], object]] = {
        "all: load and score": lambda: load_and_score(CassetteFolder(path), keys),
        "read": lambda: each_of(paths, Path.read_bytes),
        "parse": lambda: each_of(files, decode),
        "parse, check and build": lambda: each_of(files, lambda data: read_cassette(data, path)),
        "score": lambda: score_selection(CLASSES, observed),
        "json.loads, files read": lambda: each_of(paths, lambda each: json.loads(each.read_bytes())),
    }
    taken: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(ROUNDS):
        for name, work in works.items():
            taken[name].append(seconds_of(work))
    found = {name: statistics.median(times) for name, times in taken.items()}
    found["bytes of a run"] = statistics.mean(map(len, files))
    pairs = zip(taken["all: load and score"], taken["json.loads, files read"], strict=True)
    found["ratio"] = statistics.median(ours / plain for ours, plain in pairs)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=10_000)
    parser.add_argument("--json", type=Path, metavar="FILE")
    options = parser.parse_args()
    load = f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}"
    print(f"recorded runs of agents, Python {sys.version.split()[0]}, {load}")
    with tempfile.TemporaryDirectory(prefix="toolbooth-bench-") as folder:
        found = measure(Path(folder), options.runs)
    print(
        f"\n{options.runs} runs of {found['bytes of a run']:.0f} bytes, seconds, medians of {ROUNDS} rounds"
    )
    for name, value in found.items():
        if name not in ("ratio", "bytes of a run"):
            print(f"  {name:26} {value:7.3f}")
    print(f"  load and score takes {found['ratio']:.1f} × plain json.loads of the same files")
    if options.json:
        options.json.write_bytes(orjson.dumps(found, option=orjson.OPT_INDENT_2))


if __name__ == "__main__":
    main()
