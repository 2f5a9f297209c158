"""Token economics: what tools and their answers cost, how large answers may get, and what to do about it."""

from toolbooth.lazy import exports

TYPE_CHECKING = False  # as in `typing`, which takes too long to import

if TYPE_CHECKING:
    from toolbooth.economics.advice import (
        WORTH_A_GATEWAY as WORTH_A_GATEWAY,
        Advice as Advice,
        CatalogFacts as CatalogFacts,
        advise as advise,
    )
    from toolbooth.economics.answer_size import (
        AnswerRisk as AnswerRisk,
        LimitInput as LimitInput,
        answer_risk as answer_risk,
        limit_input as limit_input,
    )
    from toolbooth.economics.config_lines import (
        Remedy as Remedy,
        SchemaChange as SchemaChange,
        after_recommendation as after_recommendation,
        cap_line as cap_line,
        flood_cap as flood_cap,
        remedies as remedies,
        tool_pattern as tool_pattern,
    )
    from toolbooth.economics.diagnosis import (
        Diagnosis as Diagnosis,
        ServerDiagnosis as ServerDiagnosis,
        ToolDiagnosis as ToolDiagnosis,
        diagnose as diagnose,
    )
    from toolbooth.economics.duplicates import Cluster as Cluster, near_duplicates as near_duplicates
    from toolbooth.economics.measured import (
        Measured as Measured,
        Origin as Origin,
        Overhead as Overhead,
        measured_answers as measured_answers,
        measured_sizes as measured_sizes,
        nearest_rank as nearest_rank,
    )
    from toolbooth.economics.profile import (
        RULES as RULES,
        FieldCost as FieldCost,
        Recommendation as Recommendation,
        ServerSummary as ServerSummary,
        StaticProfile as StaticProfile,
        static_profile as static_profile,
        summarize as summarize,
    )
    from toolbooth.economics.recorded import (
        Assigned as Assigned,
        RecordedAnswer as RecordedAnswer,
        assign as assign,
        recorded_answers as recorded_answers,
        seen_fields as seen_fields,
        seen_of as seen_of,
    )
    from toolbooth.economics.response import (
        Advisory as Advisory,
        Block as Block,
        ResponseProfile as ResponseProfile,
        answer_blocks as answer_blocks,
        profile_response as profile_response,
        text_block as text_block,
        with_structure as with_structure,
    )
    from toolbooth.economics.risk import (
        DEFAULT_THRESHOLDS as DEFAULT_THRESHOLDS,
        Risk as Risk,
        Thresholds as Thresholds,
    )
    from toolbooth.economics.slimming.rule import Noise as Noise
    from toolbooth.economics.slimming.slimmer import (
        Slimmed as Slimmed,
        noise as noise,
        slim as slim,
        slimmed as slimmed,
    )
    from toolbooth.economics.tool_profile import (
        CatalogProfile as CatalogProfile,
        EstimateErrors as EstimateErrors,
        Seen as Seen,
        ServerProfile as ServerProfile,
        ToolProfile as ToolProfile,
        profile_catalog as profile_catalog,
        worst_risk as worst_risk,
    )
else:
    __getattr__, __dir__, __all__ = exports(
        __name__,
        {
            "advice": "Advice CatalogFacts WORTH_A_GATEWAY advise",
            "answer_size": "AnswerRisk LimitInput answer_risk limit_input",
            "config_lines": "Remedy SchemaChange after_recommendation cap_line flood_cap remedies "
            "tool_pattern",
            "diagnosis": "Diagnosis ServerDiagnosis ToolDiagnosis diagnose",
            "duplicates": "Cluster near_duplicates",
            "measured": "Measured Origin Overhead measured_answers measured_sizes nearest_rank",
            "profile": "FieldCost RULES Recommendation ServerSummary StaticProfile static_profile summarize",
            "recorded": "Assigned RecordedAnswer assign recorded_answers seen_fields seen_of",
            "response": "Advisory Block ResponseProfile answer_blocks profile_response text_block "
            "with_structure",
            "risk": "DEFAULT_THRESHOLDS Risk Thresholds",
            "slimming.rule": "Noise",
            "slimming.slimmer": "Slimmed noise slim slimmed",
            "tool_profile": "CatalogProfile EstimateErrors Seen ServerProfile ToolProfile profile_catalog "
            "worst_risk",
        },
    )
