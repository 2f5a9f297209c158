"""What was measured, in one shape: sections → `report.json`, and back."""

from toolbooth.bench.report.growth_section import GrowthSection, SizePoint
from toolbooth.bench.report.latency_section import LatencyMeasure, LatencySection, Spread
from toolbooth.bench.report.live_section import EndpointSection, StepCost
from toolbooth.bench.report.report_json import (
    CorpusLine,
    Report,
    read_report,
    report_bytes,
    report_json,
)
from toolbooth.bench.report.retrieval_section import (
    SURE,
    AnsweredRow,
    EngineScores,
    Gate,
    KindScores,
    MetricValues,
    QueryRow,
    RecallCurve,
    Rejection,
    RetrievalSection,
    Verdict,
)
from toolbooth.bench.report.tokens_section import (
    BreakEven,
    CurvePoint,
    HeavyTool,
    Mode,
    SchemaCount,
    SessionCost,
    TokensSection,
)

__all__ = [
    "SURE",
    "AnsweredRow",
    "BreakEven",
    "CorpusLine",
    "CurvePoint",
    "EndpointSection",
    "EngineScores",
    "Gate",
    "GrowthSection",
    "HeavyTool",
    "KindScores",
    "LatencyMeasure",
    "LatencySection",
    "MetricValues",
    "Mode",
    "QueryRow",
    "RecallCurve",
    "Rejection",
    "Report",
    "RetrievalSection",
    "SchemaCount",
    "SessionCost",
    "SizePoint",
    "Spread",
    "StepCost",
    "TokensSection",
    "Verdict",
    "read_report",
    "report_bytes",
    "report_json",
]
