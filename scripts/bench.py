"""`make bench`: how fast the foundation is, always as a ratio to a peer or to the direct path, in the same run.

Definitions are counted of the demo servers, or of the `catalogs` in the folder of `--data`.
"""

import argparse
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import anyio
from splintr import Tokenizer

from toolbooth.catalog import Catalog, ServerSpec, Tool, decode, read_catalog
from toolbooth.catalog.connect import reach_all
from toolbooth.catalog.connect.stdio import Framer
from toolbooth.demo import DEMO_SERVERS, demo_command
from toolbooth.tokens import encodings, weigh

ROOT = Path(__file__).resolve().parent.parent
VOCABULARY = ROOT / ".cache" / "vocabulary" / "litellm" / "litellm_core_utils" / "tokenizers"
CHUNK = 65_536


def seconds(work: Callable[[], object], rounds: int = 5) -> float:
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def row(what: str, ours: float, peer: str, theirs: float) -> None:
    print(f"{what:44} {ours * 1000:9.1f} ms   {peer:26} {theirs * 1000:9.1f} ms   ratio {ours / theirs:6.2f}")


def demo_catalog() -> Catalog:
    specs = [ServerSpec(name, "stdio", *_split(demo_command(name))) for name in DEMO_SERVERS]
    reached = anyio.run(reach_all, specs)
    return Catalog(tuple(each.tools for each in reached if each.tools))


def _split(command: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    return command[0], tuple(command[1:])


def tools_to_count(data: Path | None) -> tuple[str, list[Tool]]:
    if data is None:
        return "demo servers", list(demo_catalog())
    paths = sorted((data / "catalogs").glob("*.json"))
    catalogs = [read_catalog(decode(path.read_bytes()), path) for path in paths]
    return f"{len(catalogs)} recorded catalogs", [tool for each in catalogs for tool in each]


def bench_counting(data: Path | None) -> None:
    name, tools = tools_to_count(data)
    texts = [tool.definition for tool in tools]
    print(f"\ncounting {len(texts):,} definitions, {sum(map(len, texts)) / 1e6:.1f} MB ({name})")
    first = seconds(lambda: weigh(tools), 1)
    row("weigh again (cached)", seconds(lambda: weigh(tools)), "weigh the first time", first)
    if not VOCABULARY.is_dir():
        print("  tiktoken's vocabulary is not installed (make test installs it): no ratio to it")
        return
    os.environ["TIKTOKEN_CACHE_DIR"] = str(VOCABULARY)
    import tiktoken

    peer, ours = tiktoken.get_encoding("cl100k_base"), Tokenizer.from_pretrained("cl100k_base")
    row(
        "count, no cache of ours",
        seconds(lambda: [len(ours.encode_ordinary(text)) for text in texts]),
        "tiktoken",
        seconds(lambda: [len(peer.encode_ordinary(text)) for text in texts]),
    )


def quadratic_reader(chunks: list[bytes]) -> list[str]:
    """The obvious approach, which the SDK's stdio reader takes: keep a text buffer and split it at every chunk."""
    buffer, lines = "", []
    for chunk in chunks:
        *done, buffer = (buffer + chunk.decode()).split("\n")
        lines += done
    return lines


def bounded_reader(chunks: list[bytes]) -> int:
    framer = Framer()
    return sum(1 for chunk in chunks for _ in framer.feed(chunk))


def bench_framing() -> None:
    for size in (5_000_000, 10_000_000):
        data = b"x" * size + b"\n"
        chunks = [data[start : start + CHUNK] for start in range(0, len(data), CHUNK)]
        print(f"\none line of {size / 1e6:.0f} MB in chunks of 64 KiB")
        ours = seconds(partial(bounded_reader, chunks), 3)
        row("bounded framer", ours, "split a growing buffer", seconds(partial(quadratic_reader, chunks), 1))


def run_python(*words: str) -> None:
    subprocess.run([sys.executable, *words], check=True, stdout=subprocess.DEVNULL)


def bench_start() -> None:
    print("\nstart-up")
    bare = seconds(partial(run_python, "-c", "pass"), 9)
    for word in ("--version", "--help"):
        row(
            f"toolbooth {word}",
            seconds(partial(run_python, "-m", "toolbooth", word), 9),
            "python -c pass",
            bare,
        )
    ours = seconds(partial(run_python, "-m", "toolbooth", "--version"), 5)
    row(
        "toolbooth --version",
        ours,
        "python -c 'import mcp'",
        seconds(partial(run_python, "-c", "import mcp"), 3),
    )


def bench_reach() -> None:
    names = DEMO_SERVERS
    specs = [ServerSpec(name, "stdio", *_split(demo_command(name))) for name in names]
    print(f"\nreaching {len(names)} demo servers")

    def one_by_one() -> None:
        for spec in specs:
            anyio.run(reach_all, [spec])

    row(
        "all at once",
        seconds(lambda: anyio.run(reach_all, specs), 3),
        "one after the other",
        seconds(one_by_one, 1),
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, metavar="FOLDER", help="recorded catalogs to count instead")
    options = parser.parse_args()
    print(f"Python {sys.version.split()[0]}, {os.cpu_count()} cores, {len(encodings())} encodings")
    bench_counting(options.data)
    bench_framing()
    bench_start()
    bench_reach()


main()
