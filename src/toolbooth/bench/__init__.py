"""Benchmarks: tokens, retrieval, latency and growth of a catalog or a running endpoint, as one report."""

from toolbooth.lazy import exports

TYPE_CHECKING = False  # as in `typing`, which takes too long to import

if TYPE_CHECKING:
    from toolbooth.bench.bootstrap import (
        Interval as Interval,
        bootstrap_mean as bootstrap_mean,
        bootstrap_means as bootstrap_means,
        sign_flip as sign_flip,
    )
    from toolbooth.bench.corpus import (
        Corpus as Corpus,
        Pair as Pair,
        builtin_corpus as builtin_corpus,
        builtin_golden as builtin_golden,
        load_corpus as load_corpus,
        pair as pair,
        read_corpus as read_corpus,
    )
    from toolbooth.bench.golden import (
        GoldenQuestion as GoldenQuestion,
        GoldenSet as GoldenSet,
        Label as Label,
        catalog_id as catalog_id,
        load_golden as load_golden,
        read_golden as read_golden,
    )
    from toolbooth.bench.growth.measure import (
        QUICK_SIZES as QUICK_SIZES,
        SEARCHES as SEARCHES,
        SIZES as SIZES,
        GrowthPlan as GrowthPlan,
        measure_growth as measure_growth,
    )
    from toolbooth.bench.latency.actions import TimedCall as TimedCall
    from toolbooth.bench.latency.measure import Effort as Effort, measure_latency as measure_latency
    from toolbooth.bench.live.adapter_yaml import find_adapter as find_adapter
    from toolbooth.bench.live.exam import (
        Exam as Exam,
        exam_of as exam_of,
        exam_of_corpus as exam_of_corpus,
        exam_of_golden as exam_of_golden,
    )
    from toolbooth.bench.live.gateway import (
        RunningGateway as RunningGateway,
        gateway_corpus as gateway_corpus,
        measure_gateway as measure_gateway,
    )
    from toolbooth.bench.live.measure import Endpoint as Endpoint, measure_endpoints as measure_endpoints
    from toolbooth.bench.live.section import endpoint_section as endpoint_section
    from toolbooth.bench.queries import queries_of as queries_of
    from toolbooth.bench.recording import (
        FreezeOutcome as FreezeOutcome,
        RecordedCorpus as RecordedCorpus,
        freeze as freeze,
        record as record,
    )
    from toolbooth.bench.retrieval.baseline import (
        METRIC as METRIC,
        GateRule as GateRule,
        baseline_bytes as baseline_bytes,
        read_baseline as read_baseline,
    )
    from toolbooth.bench.retrieval.engines import ENGINES as ENGINES, engine_named as engine_named
    from toolbooth.bench.retrieval.folder import (
        FoundSets as FoundSets,
        LeftOut as LeftOut,
        MeasuredSet as MeasuredSet,
        find_sets as find_sets,
        means_over as means_over,
    )
    from toolbooth.bench.retrieval.measure import measure_retrieval as measure_retrieval
    from toolbooth.bench.retrieval.runs import (
        EngineRun as EngineRun,
        StoredRun as StoredRun,
        read_runs as read_runs,
    )
    from toolbooth.bench.scores import (
        KS as KS,
        MEASURES as MEASURES,
        Metrics as Metrics,
        QuestionScore as QuestionScore,
        Scores as Scores,
        SearchFunction as SearchFunction,
        score as score,
        score_answers as score_answers,
    )
    from toolbooth.bench.tokens.measure import measure_tokens as measure_tokens
else:
    __getattr__, __dir__, __all__ = exports(
        __name__,
        {
            "bootstrap": "Interval bootstrap_mean bootstrap_means sign_flip",
            "corpus": "Corpus Pair builtin_corpus builtin_golden load_corpus pair read_corpus",
            "golden": "GoldenQuestion GoldenSet Label catalog_id load_golden read_golden",
            "growth.measure": "GrowthPlan QUICK_SIZES SEARCHES SIZES measure_growth",
            "latency.actions": "TimedCall",
            "latency.measure": "Effort measure_latency",
            "live.adapter_yaml": "find_adapter",
            "live.exam": "Exam exam_of exam_of_corpus exam_of_golden",
            "live.gateway": "RunningGateway gateway_corpus measure_gateway",
            "live.measure": "Endpoint measure_endpoints",
            "live.section": "endpoint_section",
            "queries": "queries_of",
            "recording": "FreezeOutcome RecordedCorpus freeze record",
            "retrieval.baseline": "GateRule METRIC baseline_bytes read_baseline",
            "retrieval.engines": "ENGINES engine_named",
            "retrieval.folder": "FoundSets LeftOut MeasuredSet find_sets means_over",
            "retrieval.measure": "measure_retrieval",
            "retrieval.runs": "EngineRun StoredRun read_runs",
            "scores": "KS MEASURES Metrics QuestionScore Scores SearchFunction score score_answers",
            "tokens.measure": "measure_tokens",
        },
    )
