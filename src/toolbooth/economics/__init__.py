"""Tools and results → risk and advice."""

from toolbooth.economics.advice import Advice, Evidence, advise
from toolbooth.economics.answer_risk import AnswerRisk, answer_risk
from toolbooth.economics.diagnosis import Diagnosis, ServerDiagnosis, ToolDiagnosis, diagnose
from toolbooth.economics.duplicates import Cluster, near_duplicates
from toolbooth.economics.profile import FieldCost, Recommendation, StaticProfile
from toolbooth.economics.risk import DEFAULT_THRESHOLDS, Risk, Thresholds
from toolbooth.economics.runtime import Advisory, ResponseProfile, profile_response
from toolbooth.economics.slimming import Noise, Slimmed, noise, slim, slimmed
from toolbooth.economics.static import static_profile
from toolbooth.economics.summary import ServerSummary, summarize

__all__ = [
    "DEFAULT_THRESHOLDS",
    "Advice",
    "Advisory",
    "AnswerRisk",
    "Cluster",
    "Diagnosis",
    "Evidence",
    "FieldCost",
    "Noise",
    "Recommendation",
    "ResponseProfile",
    "Risk",
    "ServerDiagnosis",
    "ServerSummary",
    "Slimmed",
    "StaticProfile",
    "Thresholds",
    "ToolDiagnosis",
    "advise",
    "answer_risk",
    "diagnose",
    "near_duplicates",
    "noise",
    "profile_response",
    "slim",
    "slimmed",
    "static_profile",
    "summarize",
]
