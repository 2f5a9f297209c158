"""The measurement of a pair with engines and a baseline: the retrieval section of a report."""

from collections.abc import Sequence

from msgspec import UNSET

from toolbooth import errors, safetext
from toolbooth.bench.bootstrap import Values
from toolbooth.bench.corpus import Pair
from toolbooth.bench.report import EngineScores, RetrievalSection
from toolbooth.bench.retrieval import baseline, runs, scoring
from toolbooth.bench.retrieval.engines import engine_named


def measure_retrieval(
    pair: Pair,
    engine: str | runs.EngineRun = "toolbooth",
    *,
    against: Sequence[str | runs.EngineRun] = (),
    rule: baseline.GateRule | None = None,
    allow_mismatch: bool = False,
    seed: int = 0,
) -> RetrievalSection:
    """Ask the engine, and those that it is compared with, every question.

    The same seed gives the same figures.
    """
    rule = rule or baseline.GateRule()
    notes = baseline.check_rule(rule, pair, allow_mismatch=allow_mismatch)
    asked = _once([engine, *against])
    ours, *others = (scoring.score_run(_run(each, pair), pair.golden) for each in asked)
    apart = [scoring.differences(ours, other) for other in others]
    bounds = scoring.bound_figures([ours, *others], [column for columns in apart for column in columns], seed)
    figures, means = bounds.figures[0], ours.scores.means
    rejection = scoring.rejection_of(ours, pair.golden, seed)
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
        kinds=scoring.by_kind(ours, rejection),
        rows=scoring.worst_first(ours.scores),
        against=_against(pair, others, apart, bounds, seed),
        baseline_delta=UNSET if rule.baseline is None else baseline.deltas(rule.baseline, means),
        unknown_labels=pair.unknown,
        notes=(*pair.notes, *notes),
    )


def _once(engines: Sequence[str | runs.EngineRun]) -> list[str | runs.EngineRun]:
    """Check that all names are known and no engine is compared with itself, before the first question."""
    names = [each if isinstance(each, str) else each.name for each in engines]
    for each in engines:
        if isinstance(each, str):
            engine_named(each)
    for name in names[1:]:
        if names.count(name) > 1:
            raise errors.UserMistake(
                f'"{safetext.for_terminal(name, 60)}" is compared with itself; name another engine'
            )
    return list(engines)


def _run(engine: str | runs.EngineRun, pair: Pair) -> runs.EngineRun:
    return runs.run_engine(engine, pair) if isinstance(engine, str) else engine


def _against(
    pair: Pair,
    others: Sequence[scoring.ScoredRun],
    apart: Sequence[list[Values]],
    bounds: scoring.BoundedFigures,
    seed: int,
) -> tuple[EngineScores, ...]:
    """Each other engine with its own figures, and the comparison with ours."""
    found = []
    for at, (other, columns) in enumerate(zip(others, apart, strict=True)):
        further = bounds.further[at * len(scoring.COMPARED) : (at + 1) * len(scoring.COMPARED)]
        judged = scoring.verdicts(columns, further, seed)
        rejection = scoring.rejection_of(other, pair.golden, seed)
        found.append(EngineScores(other.run.name, *bounds.figures[at + 1], judged, rejection))
    return tuple(found)
