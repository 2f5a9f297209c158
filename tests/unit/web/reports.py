"""Reports for the page's tests: every section filled by hand with plausible, invented numbers, and hostile ones."""

from math import isfinite, log10
from typing import Any, Final

import msgspec

from toolbooth.bench.report import (
    AnsweredRow,
    BaselineGate,
    BenchReport,
    BreakEven,
    CorpusSummary,
    CurvePoint,
    EndpointSection,
    EngineScores,
    GrowthSection,
    HeavyTool,
    KindScores,
    LatencyMeasure,
    LatencySection,
    MetricValues,
    ModeCost,
    PairedVerdict,
    QueryRow,
    RecallCurve,
    Rejection,
    RetrievalSection,
    SchemaCount,
    SessionCost,
    SizePoint,
    Spread,
    StepCost,
    TokensSection,
)

HOSTILE: Final = (
    "</title></style></svg><script>document.title='owned'</script><img src=x onerror=alert(1)>"
    "\u202eevil\u202c zero\u200bwidth \x1b[31mred\x1b[0m \ue000 &amp; \"quoted\" 'single'\u2028next"
)
LONG: Final = "internal_document_archive.find_all_documents_" + "of_every_department_" * 8 + "since_2019"


def spread(p50: float, samples: int = 500) -> Spread:
    return Spread(samples, p50, p50 * 1.7, p50 * 2.6, p50 * 7.3)


def metrics(shift: float = 0.0) -> MetricValues:
    recall = {"1": 0.641 + shift, "3": 0.803 + shift, "5": 0.872 + shift, "10": 0.921 + shift}
    return MetricValues(recall, 0.748 + shift, 0.782 + shift, 0.721 + shift)


def intervals(shift: float = 0.0, half: float = 0.045) -> dict[str, tuple[float, float]]:
    given = metrics(shift)
    flat = {f"recall_at_{k}": value for k, value in given.recall_at.items()}
    flat |= {"mrr": given.mrr, "ndcg_at_10": given.ndcg_at_10, "map": given.map}
    return {name: (value - half, min(1.0, value + half)) for name, value in flat.items()}


def curve(shift: float = 0.0, half: float = 0.045) -> RecallCurve:
    mean = tuple(0.64 + 0.28 * log10(k) + shift for k in range(1, 11))
    return RecallCurve(mean, tuple(m - half for m in mean), tuple(min(1.0, m + half) for m in mean))


def engine(name: str, shift: float) -> EngineScores:
    verdicts = (
        PairedVerdict(
            "recall_at_5", -shift, -shift - 0.05, -shift + 0.05, 0.0004 if shift < -0.05 else 0.31, 24, 11
        ),
        PairedVerdict("ndcg_at_10", -shift, -shift - 0.04, -shift + 0.04, 0.012, 31, 12),
    )
    return EngineScores(name, metrics(shift), intervals(shift), curve(shift), verdicts)


ASKED: Final = (
    ("Cancel the 3pm and tell everyone why", "several tools", ("calendar.cancel_event", "mail.send"), None),
    ("who moved my ticket to done", "paraphrased", ("tracker.list_history",), None),
    ("put the invoice where finance will find it", "paraphrased", ("files.move", "files.share"), 9),
    ("what does the compiler say about utils.py", "literal", ("code.diagnostics",), 7),
    ("rename the branch", "literal", ("git.rename_branch",), 6),
    ("how warm was it in Lisbon last Tuesday", "paraphrased", ("weather.history",), 4),
)


def row(number: int) -> QueryRow:
    query, kind, wanted, rank = ASKED[number % len(ASKED)]
    came = (
        "calendar.list_events",
        "calendar.create_event",
        "mail.search",
        "files.list",
        "chat.post",
        "mail.read",
    )
    return QueryRow(
        f"q{number:04}", query, kind, wanted, came, rank, 0.0 if rank is None or rank > 5 else 1.0, 0.2
    )


def retrieval(rows: int = 60) -> RetrievalSection:
    kinds = (
        KindScores("literal", 48, metrics(0.08)),
        KindScores("paraphrased", 42, metrics(-0.06)),
        KindScores("several tools", 30, metrics(-0.11)),
        KindScores("unanswerable", 20, None, rejected=17),
    )
    answered = AnsweredRow("u1", "order a pizza", "unanswerable", ("mail.send",))
    return RetrievalSection(
        corpus_version="builtin-v1",
        golden_version="builtin-questions-v1",
        runs_averaged=1,
        query_count=120,
        metrics=metrics(),
        gate=BaselineGate(True, "recall_at_5", 0.05, 0.872, 0.631),
        engine="toolbooth hybrid",
        not_scored=20,
        intervals=intervals(),
        curve=curve(),
        rejection=Rejection(20, 17, 0.85, 3, (0.65, 0.98), (answered,)),
        kinds=kinds,
        rows=tuple(row(number) for number in range(rows)),
        against=(engine("plain BM25", -0.094), engine("words without vectors", -0.03)),
        notes=("Rankings are cut at 10, as in the published baseline.",),
    )


def session(mode: str, menu: int, paid: float, correct: int, turns: float = 3) -> SessionCost:
    return SessionCost(
        mode, 120, turns, menu, 820.4, 312.6, 96.2, paid, paid * 1.31, correct, correct - 22,
        paid * 120 / correct if correct else None, paid * 157 / correct if correct else None,
    )  # fmt: skip


def paid_at(tools: int) -> dict[str, float]:
    return {
        "baseline": 2 * 212.0 * tools + 90,
        "search": 3 * 1204.0 + 1229 + 0.4 * tools,
        "code": 3 * 1630.0 + 760 + 2.2 * tools,
        "direct": 2 * 160.0 * tools + 90,
    }


def heavy(number: int) -> HeavyTool:
    name, described, schema = 6 + number % 4, 260 - 14 * number, 1120 - 62 * number
    names = ("files.bulk_edit", "calendar.create_event_with_guests", "tracker.search_issues", "mail.send")
    return HeavyTool(f"{names[number % 4]}_{number}", name + described + schema, name, described, schema)


def tokens() -> TokensSection:
    counted = SchemaCount(60, 4, 0, True)
    modes = (
        ModeCost("baseline", "", 64, 13_570, 0, 0.0),
        ModeCost("direct", "direct", 64, 10_240, 0, 0.2454),
        ModeCost("search", "search", 4, 1_204, 318, 0.9113),
        ModeCost("code", "code", 3, 1_630, 402, 0.8799),
    )
    return TokensSection(
        encoding="o200k_base",
        corpus_version="builtin-v1",
        corpus_tools=64,
        baseline_tokens=13_570,
        modes=modes,
        baseline_schemas=counted,
        gateway_schemas=counted,
        authoritative_headline=True,
        heaviest=tuple(heavy(number) for number in range(15)),
        sessions=(
            session("baseline", 13_570, 27_236, 120, turns=2),
            session("direct", 10_240, 20_576, 120, turns=2),
            session("search", 1_522, 5_795, 108),
            session("code", 2_032, 6_940, 104),
        ),
        break_even=(
            BreakEven("direct", 1, None, 1),
            BreakEven("search", 1, 41, 12),
            BreakEven("code", 1, None, 15),
        ),
        curve=tuple(
            CurvePoint(size, paid_at(size), paid_at(size), paid_at(size)) for size in (4, 8, 16, 32, 64)
        ),
        notes=("The baseline is taken to be always right, which favours it.",),
    )


def latency() -> LatencySection:
    measures = (
        LatencyMeasure("engine", "a search among 64 tools, in this process", spread(0.084)),
        LatencyMeasure("search", "through the gateway, over stdio", spread(1.31)),
        LatencyMeasure(
            "list_all", "tools/list of the gateway", spread(0.92), "all 8 servers at once", spread(3.4), 0.27
        ),
        LatencyMeasure(
            "call", "one small tool", spread(1.9), "the same tool, called directly", spread(1.12), 1.7
        ),
        LatencyMeasure("start", "to the first answer", spread(412, 20)),
    )
    return LatencySection(measures, 1840.0, ("Percentiles are by nearest rank.",))


def size(tools: int, made_up: int = 0) -> SizePoint:
    return SizePoint(
        tools, made_up, 212 * tools, 1204 + tools // 100, 0.04 * tools, 0.6 * tools**1.05, 180 + 0.05 * tools,
        0.06 + 0.00021 * tools, 0.1 + 0.0005 * tools, 62 + 0.011 * tools,
    )  # fmt: skip


def growth() -> GrowthSection:
    points = (size(50), size(500), size(5000), size(17_570), size(100_000, 82_430))
    bends = ("Building the index grows faster than the catalog: with its power 1.05.",)
    exponents = {"search_p50_ms": 0.98, "memory_mb": 0.86, "build_ms": 1.15, "menu_tokens": 0.04}
    return GrowthSection("scale-v1", points, exponents, bends, ("Made-up tools have words of real ones.",))


def endpoint(name: str, menu: int, recall: float | None, partial: str = "") -> EndpointSection:
    found = retrieval(rows=3) if recall is not None else None
    return EndpointSection(
        name=name,
        adapter=name.split()[0].lower(),
        finds="search" if found else "oracle",
        baseline_tokens=13_570,
        mode=ModeCost("endpoint", "", 4, menu, 0, 1 - menu / 13_570),
        steps=(
            StepCost("search", 120, 820.0, 2210, 640.0, spread(2.2)),
            StepCost("definition", 120, 310.0, 1400, 0.0, None),
        ),
        session=session(name, menu, menu * 3 + 1300, 104),
        retrieval=found,
        list_ms=12.4,
        partial=partial,
        notes=("Its list is asked for once.",),
    )


def rich(partial: tuple[str, ...] = ()) -> BenchReport:
    """Every section, as a full run would fill it."""
    ends = (
        endpoint("Toolbooth", 1204, 0.87),
        endpoint("fastmcp search transform", 1480, 0.79),
        endpoint("lazy-mcp", 2960, None),
        endpoint("mcp-compressor", 4120, None),
        endpoint("plain pass-through", 14_210, None),
    )
    return BenchReport(
        toolbooth="0.8.0",
        date="2026-11-17",
        machine="Python 3.11.2, Linux x86_64, 2 cores",
        corpus=CorpusSummary(
            "builtin-v1", 64, 8, "b1946ac92492d2347c6235b4d2611184", "builtin-questions-v1", 140
        ),
        tokens=tokens(),
        retrieval=retrieval(),
        latency=latency(),
        growth=growth(),
        endpoints=ends,
        partial=partial,
    )


KEPT: Final = ("label", "format", "recall_at", "intervals")  # words that the format itself gives


def with_words(report: BenchReport, words: str) -> BenchReport:
    """The same report with every text in it replaced, names of modes and figures too."""
    return msgspec.convert(_replaced(msgspec.to_builtins(report), words), BenchReport)


def _replaced(value: Any, words: str, key: str = "") -> Any:
    if key in KEPT:
        return value
    if isinstance(value, str):
        return words
    if isinstance(value, list | tuple):
        return [_replaced(each, words) for each in value]
    if isinstance(value, dict):
        renamed = key in ("paid", "paid_with_history", "menu", "exponents")
        return {f"{at} {words}" if renamed else at: _replaced(each, words, at) for at, each in value.items()}
    return value


def with_numbers(report: BenchReport, number: float) -> BenchReport:
    """The same report with every number in it replaced; one that cannot be a count stays as it was."""
    return msgspec.convert(_renumbered(msgspec.to_builtins(report), number), BenchReport, strict=False)


def _renumbered(value: Any, number: float, key: str = "") -> Any:
    if isinstance(value, bool) or key == "version":
        return value
    if isinstance(value, float):
        return number
    if isinstance(value, int):
        return int(number) if isfinite(number) else value
    if isinstance(value, list | tuple):
        return [_renumbered(each, number) for each in value]
    if isinstance(value, dict):
        return {at: _renumbered(each, number, at) for at, each in value.items()}
    return value


def bare(**sections: Any) -> BenchReport:
    """A report of these sections and nothing else."""
    return BenchReport("0.8.0", "2026-11-17", "a machine", **sections)


def empty_sections() -> BenchReport:
    """Every section there, and nothing in it."""
    none = SchemaCount(0, 0, 0, False)
    nothing = MetricValues({}, 0.0, 0.0, 0.0)
    return bare(
        tokens=TokensSection("o200k_base", "", 0, 0, (), none, none, False, ()),
        retrieval=RetrievalSection(
            "", "", 1, 0, nothing, BaselineGate(True), "", 0, {}, RecallCurve((), (), ()), None, (), ()
        ),
        latency=LatencySection((), None),
        growth=GrowthSection("", (), {}),
        endpoints=(
            EndpointSection("", "", "oracle", None, ModeCost("", "", 0, 0, 0, None), (), None, None, None),
        ),
    )


def withheld() -> TokensSection:
    """Twelve tools without a schema: totals stay, percentages do not."""
    given = tokens()
    modes = tuple(msgspec.structs.replace(mode, savings_vs_baseline=None) for mode in given.modes)
    lacking = SchemaCount(48, 4, 12, False)
    return msgspec.structs.replace(
        given,
        modes=modes,
        baseline_schemas=lacking,
        authoritative_headline=False,
        notes=("Schemas are missing.",),
    )


def negative() -> TokensSection:
    """Two small tools, which the search surface makes dearer."""
    given = tokens()
    modes = (
        ModeCost("baseline", "", 2, 300, 0, 0.0),
        ModeCost("search", "search", 4, 1204, 318, 1 - 1204 / 300),
    )
    return msgspec.structs.replace(given, modes=modes, baseline_tokens=300, corpus_tools=2)
