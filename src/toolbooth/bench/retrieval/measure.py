"""The measurement of a pair with engines and a baseline: the retrieval section of a report."""

from collections.abc import Sequence

from msgspec import UNSET

from toolbooth.bench.bootstrap import Values
from toolbooth.bench.corpus import Pair
from toolbooth.bench.report import EngineScores, RetrievalSection
from toolbooth.bench.retrieval.baseline import GateRule, check_rule, deltas
from toolbooth.bench.retrieval.engines import engine_named
from toolbooth.bench.retrieval.runs import EngineRun, run_engine
from toolbooth.bench.retrieval.scoring import (
    COMPARED,
    BoundedFigures,
    ScoredRun,
    bound_figures,
    by_kind,
    differences,
    rejection_of,
    score_run,
    verdicts,
    worst_first,
)
from toolbooth.errors import UserMistake
from toolbooth.safetext import for_terminal


def measure_retrieval(
    pair: Pair,
    engine: str | EngineRun = "toolbooth",
    *,
    against: Sequence[str | EngineRun] = (),
    rule: GateRule | None = None,
    allow_mismatch: bool = False,
    seed: int = 0,
) -> RetrievalSection:
    """Ask the engine, and those that it is compared with, every question.

    The same seed gives the same figures.
    """
    rule = rule or GateRule()
    notes = check_rule(rule, pair, allow_mismatch=allow_mismatch)
    asked = _once([engine, *against])
    ours, *others = (score_run(_run(each, pair), pair.golden) for each in asked)
    apart = [differences(ours, other) for other in others]
    bounds = bound_figures([ours, *others], [column for columns in apart for column in columns], seed)
    figures, means = bounds.figures[0], ours.scores.means
    rejection = rejection_of(ours, pair.golden, seed)
    return RetrievalSection(
        corpus_version=pair.corpus.version,
        golden_version=pair.golden.version,
        runs_averaged=1,
        query_count=len(ours.scores.rows),
        metrics=figures.metrics,
        gate=rule.judge(means),
        engine=ours.run.name,
        not_scored=len(ours.scores.not_scored),
        intervals=figures.intervals,
        curve=figures.curve,
        rejection=rejection,
        kinds=by_kind(ours, rejection),
        rows=worst_first(ours.scores),
        against=_against(pair, others, apart, bounds, seed),
        baseline_delta=UNSET if rule.baseline is None else deltas(rule.baseline, means),
        unknown_labels=pair.unknown,
        notes=(*pair.notes, *notes),
    )


def _once(engines: Sequence[str | EngineRun]) -> list[str | EngineRun]:
    """Check that all names are known and no engine is compared with itself, before the first question."""
    names = [each if isinstance(each, str) else each.name for each in engines]
    for each in engines:
        if isinstance(each, str):
            engine_named(each)
    for name in names[1:]:
        if names.count(name) > 1:
            raise UserMistake(f'"{for_terminal(name, 60)}" is named twice; compare it with another engine')
    return list(engines)


def _run(engine: str | EngineRun, pair: Pair) -> EngineRun:
    return run_engine(engine, pair) if isinstance(engine, str) else engine


def _against(
    pair: Pair, others: Sequence[ScoredRun], apart: Sequence[list[Values]], bounds: BoundedFigures, seed: int
) -> tuple[EngineScores, ...]:
    """Each other engine with its own figures, and the comparison with ours."""
    found = []
    for at, (other, columns) in enumerate(zip(others, apart, strict=True)):
        further = bounds.further[at * len(COMPARED) : (at + 1) * len(COMPARED)]
        judged = verdicts(columns, further, seed)
        rejection = rejection_of(other, pair.golden, seed)
        found.append(EngineScores(other.run.name, *bounds.figures[at + 1], judged, rejection))
    return tuple(found)
