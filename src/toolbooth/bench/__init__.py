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
    from toolbooth.bench.growth import (
        QUICK_SIZES as QUICK_SIZES,
        SEARCHES as SEARCHES,
        SIZES as SIZES,
        GrowthPlan as GrowthPlan,
        measure_growth as measure_growth,
    )
    from toolbooth.bench.latency import (
        Effort as Effort,
        TimedCall as TimedCall,
        measure_latency as measure_latency,
    )
    from toolbooth.bench.live import (
        Endpoint as Endpoint,
        Exam as Exam,
        RunningGateway as RunningGateway,
        endpoint_section as endpoint_section,
        exam_of as exam_of,
        exam_of_corpus as exam_of_corpus,
        exam_of_golden as exam_of_golden,
        find_adapter as find_adapter,
        gateway_corpus as gateway_corpus,
        measure_endpoints as measure_endpoints,
        measure_gateway as measure_gateway,
    )
    from toolbooth.bench.queries import queries_of as queries_of
    from toolbooth.bench.recording import (
        FreezeOutcome as FreezeOutcome,
        RecordedCorpus as RecordedCorpus,
        freeze as freeze,
        record as record,
    )
    from toolbooth.bench.retrieval import (
        ENGINES as ENGINES,
        METRIC as METRIC,
        EngineRun as EngineRun,
        FoundSets as FoundSets,
        GateRule as GateRule,
        LeftOut as LeftOut,
        MeasuredSet as MeasuredSet,
        StoredRun as StoredRun,
        baseline_bytes as baseline_bytes,
        engine_named as engine_named,
        find_sets as find_sets,
        means_over as means_over,
        measure_retrieval as measure_retrieval,
        read_baseline as read_baseline,
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
    from toolbooth.bench.tokens import measure_tokens as measure_tokens
else:
    __getattr__, __all__ = exports(
        __name__,
        {
            "bootstrap": "Interval bootstrap_mean bootstrap_means sign_flip",
            "corpus": "Corpus Pair builtin_corpus builtin_golden load_corpus pair read_corpus",
            "golden": "GoldenQuestion GoldenSet Label catalog_id load_golden read_golden",
            "growth": "GrowthPlan QUICK_SIZES SEARCHES SIZES measure_growth",
            "latency": "Effort TimedCall measure_latency",
            "live": "Endpoint Exam RunningGateway endpoint_section exam_of exam_of_corpus exam_of_golden "
            "find_adapter gateway_corpus measure_endpoints measure_gateway",
            "queries": "queries_of",
            "recording": "FreezeOutcome RecordedCorpus freeze record",
            "retrieval": "ENGINES EngineRun FoundSets GateRule LeftOut METRIC MeasuredSet StoredRun "
            "baseline_bytes engine_named find_sets means_over measure_retrieval read_baseline read_runs",
            "scores": "KS MEASURES Metrics QuestionScore Scores SearchFunction score score_answers",
            "tokens": "measure_tokens",
        },
    )
