"""The calibration: it fits the curve of relevance to held-out requests in catalogs that have their tool or lack it.

`relevance.py` holds the numbers: logit = slope · evidence − offset − chance · log10(tools).
"""

import random
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from toolbooth.catalog import Catalog, ServerTools
from toolbooth.search import Embedder, SearchEngine
from training.generate import TEXTS
from training.judge import Paper
from training.log import Log

_SIZES: Final = (2, 4, 8, 15, 40, 120)  # servers of a catalog
_LEAST: Final = 3  # tools of a server: made-up servers have one, and catalogs of them would all be small
_CATALOGS: Final = 36
_ASKED: Final = {"right": 60, "of other servers": 20, "small talk": 12, "elsewhere": 15}  # of each, a catalog
_THRESHOLDS: Final = (0.05, 0.075, 0.1)


class Observation(NamedTuple):
    """The evidence for a request in a catalog, the number of tools, and the kind of request."""

    evidence: float
    tools: int
    kind: str


def calibrate(paper: Paper, embedder: Embedder | None, say: Log) -> None:
    """Fit and report; the classes weigh the same, so that the relevance is the chance of an even bet."""
    seen = list(_ask_all(paper, embedder))
    inputs = np.array([[each.evidence, np.log10(each.tools)] for each in seen])
    right = np.array([each.kind == "right" for each in seen])
    linear: Any = import_module("sklearn.linear_model")
    model = linear.LogisticRegression(C=10, max_iter=2_000, class_weight="balanced").fit(inputs, right)
    (slope, chance), offset = model.coef_[0], -model.intercept_[0]
    way = "words alone" if embedder is None else "with meaning"
    say(f"relevance, {way}: slope {slope:.1f}, offset {offset:.2f}, chance {-chance:.2f}")
    likely = model.predict_proba(inputs)[:, 1]
    for threshold in _THRESHOLDS:
        reported = {kind: _refused(seen, likely, kind, threshold) for kind in _ASKED}
        say(f"relevance, {way}, refused under {threshold}: {reported}")


def _refused(seen: Sequence[Observation], likely: Any, kind: str, threshold: float) -> float:
    return round(float(np.mean(likely[[each.kind == kind for each in seen]] < threshold)), 3)


def _ask_all(paper: Paper, embedder: Embedder | None) -> Iterator[Observation]:
    rng = random.Random(0)
    servers = [each for each in paper.catalog.servers if len(each.tools) >= _LEAST]
    for at in range(_CATALOGS):
        chosen = rng.sample(servers, min(_SIZES[at % len(_SIZES)], len(servers)))
        yield from _ask(paper, chosen, embedder, rng)


def _ask(
    paper: Paper, chosen: list[ServerTools], embedder: Embedder | None, rng: random.Random
) -> Iterator[Observation]:
    catalog = Catalog(tuple(chosen))
    engine, own = SearchEngine.of(catalog, embedder), {tool.id for tool in catalog}
    served = [one for one in paper.golden.questions if one.labels[0].tool in own]
    others = [one for one in paper.golden.questions if one.labels[0].tool not in own]
    asked = {
        "right": [one.query for one in served],
        "of other servers": [one.query for one in others],
        "small talk": _lines("small_talk.txt"),
        "elsewhere": _lines("elsewhere.txt"),
    }
    for kind, queries in asked.items():
        for query in rng.sample(queries, min(_ASKED[kind], len(queries))):
            found = engine.strength(query)
            if found is not None:
                yield Observation(found, len(own), kind)


def _lines(name: str, folder: Path = TEXTS) -> list[str]:
    return [line for line in (folder / name).read_text("utf-8").splitlines() if line.strip()]
