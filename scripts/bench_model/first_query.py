"""`python first_query.py KIND HOME`: the milliseconds to a model's first vector, from the import of its package or
numpy.

It runs in a fresh process, for wordllama with its own interpreter, and prints a JSON pair.
"""

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np  # noqa: F401 - every contender imports it, so that it counts for none

START = time.perf_counter()
QUERY = "send a message to the team about the failed deployment"
Embed = Callable[[list[str]], Any]


def ours(_home: str) -> Callable[[], Embed]:
    from toolbooth.search import StaticTable

    return lambda: StaticTable().embed_queries


def table(home: str) -> Callable[[], Embed]:
    from toolbooth.search import StaticTable

    return lambda: StaticTable(Path(home)).embed_queries


def onnx(home: str) -> Callable[[], Embed]:
    from toolbooth.search import OnnxEmbedder

    return lambda: OnnxEmbedder(home).embed_queries


def wordllama(home: str) -> Callable[[], Embed]:
    from wordllama import WordLlama  # type: ignore[import-not-found, unused-ignore]

    return lambda: WordLlama.load(cache_dir=Path(home), disable_download=True).embed


KINDS = {each.__name__: each for each in (ours, table, onnx, wordllama)}


def main(kind: str, home: str) -> None:
    """Imports first, then the model."""
    opening = KINDS[kind](home)
    imported = time.perf_counter()
    opening()([QUERY])
    done = time.perf_counter()
    print(json.dumps([(done - imported) * 1000, (done - START) * 1000]))


if __name__ == "__main__":
    main(*sys.argv[1:])
