"""An engine × a pair → its answers to every question, also to those that no tool can serve."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from toolbooth.bench.corpus import Pair
from toolbooth.bench.report import Rejection
from toolbooth.bench.retrieval.engines import engine_named
from toolbooth.bench.score import DEPTH


class Run(NamedTuple):
    """What an engine, an endpoint or a stored run answered: id of a question → catalog ids, the best first.

    `rejection` is that of a stored run, which keeps no answer to the questions that no tool can serve.
    """

    name: str
    answers: Mapping[str, Sequence[str]]
    rejection: Rejection | None = None


def ask(engine: str, pair: Pair) -> Run:
    """Ask the engine of this name everything."""
    search = engine_named(engine).over(pair.corpus.catalog)
    return Run(engine, {each.id: search(each.query)[:DEPTH] for each in pair.golden.questions})
