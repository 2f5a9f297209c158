"""The static profiles of a server's tools → one summary: sums, the worst risk, what to do first."""

from collections.abc import Iterable
from dataclasses import dataclass

from toolbooth.economics.profile import Recommendation, StaticProfile
from toolbooth.economics.risk import Risk


@dataclass(frozen=True)
class ServerSummary:
    """What the answers of all tools may cost. Names stand in the order of the profiles."""

    tool_count: int
    total_min_tokens: int
    total_max_tokens: int
    unbounded_tool_names: tuple[str, ...]
    overall_risk: Risk
    critical_tool_names: tuple[str, ...]
    recommendations: tuple[Recommendation, ...]


def summarize(profiles: Iterable[StaticProfile]) -> ServerSummary:
    """Add up the profiles; recommendations of critical tools come first, then high, then medium."""
    all_profiles = tuple(profiles)
    return ServerSummary(
        tool_count=len(all_profiles),
        total_min_tokens=sum(profile.min_tokens for profile in all_profiles),
        total_max_tokens=sum(profile.max_tokens for profile in all_profiles),
        unbounded_tool_names=tuple(profile.tool_name for profile in all_profiles if not profile.bounded),
        overall_risk=max((profile.risk for profile in all_profiles), default=Risk.LOW),
        critical_tool_names=tuple(
            profile.tool_name for profile in all_profiles if profile.risk is Risk.CRITICAL
        ),
        recommendations=_recommendations(all_profiles),
    )


def _recommendations(profiles: tuple[StaticProfile, ...]) -> tuple[Recommendation, ...]:
    return tuple(
        recommendation.of_tool(profile.tool_name)
        for risk in (Risk.CRITICAL, Risk.HIGH, Risk.MEDIUM)
        for profile in profiles
        if profile.risk is risk
        for recommendation in profile.recommendations
    )
