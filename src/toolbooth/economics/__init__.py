"""Tools and results → risk and advice."""

from toolbooth.economics.advice import Advice, Evidence, advise
from toolbooth.economics.answer_blocks import answer_blocks, text_block, with_structure
from toolbooth.economics.answer_risk import AnswerRisk, answer_risk
from toolbooth.economics.cap_line import cap_line, flood_cap, tool_pattern
from toolbooth.economics.diagnosis import Diagnosis, ServerDiagnosis, ToolDiagnosis, diagnose
from toolbooth.economics.duplicates import Cluster, near_duplicates
from toolbooth.economics.limit_input import LimitInput, limit_input
from toolbooth.economics.measured import (
    Measured,
    Origin,
    Overhead,
    measured_answers,
    measured_sizes,
    nearest_rank,
)
from toolbooth.economics.profile import FieldCost, Recommendation, StaticProfile
from toolbooth.economics.recorded_answers import Assigned, RecordedAnswer, assign, recorded_answers, seen_of
from toolbooth.economics.remedies import Remedy, SchemaChange, after_recommendation, remedies
from toolbooth.economics.risk import DEFAULT_THRESHOLDS, Risk, Thresholds
from toolbooth.economics.rules import RULES
from toolbooth.economics.runtime import Advisory, Block, ResponseProfile, profile_response
from toolbooth.economics.seen_fields import seen_fields
from toolbooth.economics.slimming import Noise, Slimmed, noise, slim, slimmed
from toolbooth.economics.static import static_profile
from toolbooth.economics.summary import ServerSummary, summarize
from toolbooth.economics.tool_profile import (
    CatalogProfile,
    EstimateErrors,
    Seen,
    ServerProfile,
    ToolProfile,
    profile_catalog,
    worst_risk,
)

__all__ = [
    "DEFAULT_THRESHOLDS",
    "RULES",
    "Advice",
    "Advisory",
    "AnswerRisk",
    "Assigned",
    "Block",
    "CatalogProfile",
    "Cluster",
    "Diagnosis",
    "EstimateErrors",
    "Evidence",
    "FieldCost",
    "LimitInput",
    "Measured",
    "Noise",
    "Origin",
    "Overhead",
    "Recommendation",
    "RecordedAnswer",
    "Remedy",
    "ResponseProfile",
    "Risk",
    "SchemaChange",
    "Seen",
    "ServerDiagnosis",
    "ServerProfile",
    "ServerSummary",
    "Slimmed",
    "StaticProfile",
    "Thresholds",
    "ToolDiagnosis",
    "ToolProfile",
    "advise",
    "after_recommendation",
    "answer_blocks",
    "answer_risk",
    "assign",
    "cap_line",
    "diagnose",
    "flood_cap",
    "limit_input",
    "measured_answers",
    "measured_sizes",
    "near_duplicates",
    "nearest_rank",
    "noise",
    "profile_catalog",
    "profile_response",
    "recorded_answers",
    "remedies",
    "seen_fields",
    "seen_of",
    "slim",
    "slimmed",
    "static_profile",
    "summarize",
    "text_block",
    "tool_pattern",
    "with_structure",
    "worst_risk",
]
