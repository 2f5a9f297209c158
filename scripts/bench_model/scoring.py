"""The scores of every contender on every set, with bounds and verdicts, and their means over the sets."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from statistics import fmean
from typing import Final, NamedTuple

from toolbooth.bench import Pair
from toolbooth.bench.report import EngineScores, RetrievalSection
from toolbooth.bench.retrieval import EngineRun, measure_retrieval

from .asking import Asked, Built, ask, build, p50_ms
from .contenders import Contender
from .results import SHOWN, Mean, Scored, SetFacts, Way
from .sets import BenchSet

ALL: Final = "all sets"
UNSEEN: Final = "sets unseen by all"


class Measured(NamedTuple):
    """One set; `seconds` as they were taken, for the medians over all sets."""

    facts: SetFacts
    scored: list[Scored]
    seconds: dict[str, list[float]]


def measure_sets(sets: Sequence[BenchSet], contenders: Sequence[Contender]) -> Iterator[Measured]:
    """Sets of one corpus share their engines, because MiniLM takes a minute for 4,000 tools."""
    for _, group in groupby(sets, key=lambda each: each.pair.corpus.version):
        built: list[Built] = []
        for each in group:
            built = built or [build(contender, each.pair.corpus.catalog) for contender in contenders]
            yield measure(each, built)


def measure(given: BenchSet, built: Sequence[Built]) -> Measured:
    """Ask everything, then compare ours with each of the others, in both modes."""
    asked = ask(built, given.pair)
    contenders = {each.contender.name: each.contender for each in built}
    scored = [
        *_scored("fused", given, asked.fused, contenders),
        *_scored("alone", given, asked.alone, contenders),
    ]
    near = {name: took for name, took in asked.seconds.items() if not contenders[name].apart}
    return Measured(_facts(given, asked, near), scored, near)


def means(scored: Sequence[Scored]) -> list[Mean]:
    """Over all sets, and over those that no contender can have seen, if that differs."""
    seen = {each.set for each in scored if each.may_have_seen}
    unseen = [each for each in scored if each.set not in seen]
    return [*_means(ALL, scored), *(_means(UNSEEN, unseen) if seen else ())]


def _means(over: str, scored: Sequence[Scored]) -> Iterator[Mean]:
    for way, contender in dict.fromkeys((each.way, each.contender) for each in scored):
        found = [each.metrics for each in scored if (each.way, each.contender) == (way, contender)]
        yield Mean(
            over, len(found), way, contender, {key: fmean(one[key] for one in found) for key in found[0]}
        )


def _facts(given: BenchSet, asked: Asked, near: dict[str, list[float]]) -> SetFacts:
    catalog = given.pair.corpus.catalog
    times = {name: p50_ms(took) for name, took in near.items()}
    return SetFacts(given.name, len(catalog), len(catalog.servers), len(asked.fused[0].answers), times)


def _scored(
    way: Way, given: BenchSet, runs: Sequence[EngineRun], contenders: dict[str, Contender]
) -> Iterator[Scored]:
    section = _section(given.pair, runs)
    engines: list[RetrievalSection | EngineScores] = [section, *section.against]
    for each in engines:
        said = each.verdicts if isinstance(each, EngineScores) else ()
        verdicts = {one.metric: one for one in said if one.metric in SHOWN}
        yield Scored(
            given.name,
            way,
            each.engine,
            given.name in contenders[each.engine].may_have_seen,
            each.metrics.flat(),
            each.intervals,
            verdicts,
            {metric: one.outcome for metric, one in verdicts.items()},
        )


def _section(pair: Pair, runs: Sequence[EngineRun]) -> RetrievalSection:
    ours, *others = runs
    return measure_retrieval(pair, ours, against=others)
