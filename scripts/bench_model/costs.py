"""The costs of the models: their size on disk, the time to load them, and ours on a large catalog."""

import json
import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import Final, NamedTuple

from toolbooth.bench import load_corpus
from toolbooth.search import StaticTable

from .asking import p50_ms
from .contenders import Contender
from .results import Model, Scale

LARGE = "scale/toucan.tools.json"  # in the data folder
_ROUNDS: Final = 5
_FIRST_QUERY = Path(__file__).with_name("first_query.py")


class Loaded(NamedTuple):
    """Milliseconds, medians over fresh processes."""

    from_package: float
    from_numpy: float


def measure_models(contenders: Sequence[Contender], seconds: Mapping[str, list[float]]) -> list[Model]:
    """A row for each contender with a model; `seconds` are those of single queries."""
    have = [each for each in contenders if each.kind]
    loaded = load_times(have)
    return [
        Model(
            each.name,
            sum(path.stat().st_size for path in each.files),
            *loaded[each.name],
            p50_ms(seconds[each.name]) if seconds.get(each.name) else None,
        )
        for each in have
    ]


def load_times(contenders: Sequence[Contender]) -> dict[str, Loaded]:
    """In turn; a first round brings the files into memory and does not count."""
    rounds = [{each.name: _load(each) for each in contenders} for _ in range(_ROUNDS + 1)][1:]
    return {
        each.name: Loaded(
            median(one[each.name].from_package for one in rounds),
            median(one[each.name].from_numpy for one in rounds),
        )
        for each in contenders
    }


def _load(contender: Contender) -> Loaded:
    command = contender.packages.command(_FIRST_QUERY, contender.kind, contender.home)
    done = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=contender.packages.env, check=True
    )
    return Loaded(*json.loads(done.stdout))


def measure_scale(data: Path | None) -> Scale | None:
    """Server by server as an engine does it, with the table already loaded; None without the data."""
    if data is None or not (data / LARGE).is_file():
        return None
    catalog, table = load_corpus(data / LARGE).catalog, StaticTable()
    table.embed_queries(["ready"])
    start = time.perf_counter()
    for each in catalog.servers:
        about = " ".join(part for part in (each.title, each.description, each.instructions) if part)
        table.embed_tools(each.tools, about)
    return Scale(len(catalog), len(catalog.servers), time.perf_counter() - start)
