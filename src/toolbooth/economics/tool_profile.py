"""Profiles of tools, servers and a catalog: the weight of definitions, and the estimated and measured answers."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

from toolbooth.catalog import Catalog, ServerTools, Tool
from toolbooth.economics import answer_size, profile
from toolbooth.economics.measured import Measured, nearest_rank
from toolbooth.economics.risk import DEFAULT_THRESHOLDS, Risk, Thresholds
from toolbooth.tokens import DEFAULT_ENCODING, Weight, weigh


class Seen(NamedTuple):
    """What is known of a tool's real answers: their sizes and their fields."""

    measured: Measured | None = None
    fields: tuple[str, ...] | None = None


NOTHING_SEEN: Final = Seen()


@dataclass(frozen=True)
class ToolProfile:
    """One tool: the weight of its definition, what its answers may cost, and what real answers did cost."""

    tool: Tool
    weight: Weight
    share: float
    answers: answer_size.AnswerRisk
    caps: answer_size.Caps = (None, None)
    seen: Seen = NOTHING_SEEN

    @property
    def id(self) -> str:
        """`server.tool`."""
        return self.tool.id

    @property
    def measured(self) -> Measured | None:
        """Sizes of real answers."""
        return self.seen.measured

    @property
    def is_capped(self) -> bool:
        """Whether the config bounds the answers, so that earlier, larger ones would not pass now."""
        return self.caps != (None, None)

    @property
    def risk(self) -> Risk | None:
        """The higher of the estimated and the measured risk, or that of the config's cap; None if nothing is known.

        The measured risk alone would be too low for a tool that has only had small requests so far.
        """
        if self.measured is None or (self.is_capped and self.answers.risk):
            return self.answers.risk
        return max(filter(None, (self.answers.risk, self.measured.risk)))

    @property
    def is_risk_measured(self) -> bool:
        """Whether real answers reach that tier, whatever the estimate is."""
        ruled = self.is_capped and self.answers.risk is not None
        return self.measured is not None and not ruled and self.measured.risk is self.risk

    @property
    def most_tokens(self) -> int | None:
        """The tokens behind the risk."""
        if self.is_risk_measured and self.measured:
            return self.measured.worst
        return self.answers.profile.max_tokens if self.answers.profile else None

    @property
    def estimate_error(self) -> float | None:
        """The estimated maximum divided by the measured one; None with a cap, which is not an estimate."""
        if self.measured is None or self.answers.profile is None or self.is_capped or not self.measured.worst:
            return None
        return self.answers.profile.max_tokens / self.measured.worst


@dataclass(frozen=True)
class ServerProfile:
    """One server, with its tools in the order sent. The summary covers tools whose answers can be estimated."""

    server: ServerTools
    tools: tuple[ToolProfile, ...]
    tokens: int
    share: float

    @cached_property
    def summary(self) -> profile.ServerSummary:
        """The sums of estimates."""
        return summary_of(self.tools)


class EstimateErrors(NamedTuple):
    """Estimate divided by measurement, over the tools that have both."""

    tools: int
    answers: int
    least: float
    median: float
    most: float


@dataclass(frozen=True)
class CatalogProfile:
    """Everything that `toolbooth profile` reports."""

    servers: tuple[ServerProfile, ...]
    thresholds: Thresholds
    encoding: str
    fingerprint: str

    @cached_property
    def tools(self) -> tuple[ToolProfile, ...]:
        """Every tool, in the order of the catalog."""
        return tuple(tool for server in self.servers for tool in server.tools)

    @cached_property
    def ranked(self) -> tuple[ToolProfile, ...]:
        """Every tool, the riskiest first, and the most expensive first among equals."""
        return tuple(sorted(self.tools, key=_rank))

    @cached_property
    def summary(self) -> profile.ServerSummary:
        """The summary of all tools whose answers can be estimated."""
        return summary_of(self.tools)

    @property
    def tokens(self) -> int:
        """Tokens of all definitions."""
        return sum(server.tokens for server in self.servers)

    @property
    def estimate_errors(self) -> EstimateErrors | None:
        """How good the estimates are, compared with real answers; None without any."""
        both = [(tool, error) for tool in self.tools if (error := tool.estimate_error) is not None]
        if not both:
            return None
        errors = sorted(error for _, error in both)
        middle = nearest_rank(((index, 1) for index in range(len(errors))), 50)
        answers = sum(tool.measured.answers for tool, _ in both if tool.measured)
        return EstimateErrors(len(errors), answers, errors[0], errors[middle], errors[-1])


def worst_risk(tools: Iterable[ToolProfile]) -> Risk | None:
    """The highest known risk; None if none is known."""
    return max((tool.risk for tool in tools if tool.risk), default=None)


def summary_of(tools: Iterable[ToolProfile]) -> profile.ServerSummary:
    """The summary of the tools whose answers can be estimated."""
    return profile.summarize(tool.answers.profile for tool in tools if tool.answers.profile)


def profile_catalog(
    catalog: Catalog,
    seen: Mapping[str, Seen] | None = None,
    caps: Callable[[str], answer_size.Caps] = answer_size.no_caps,
    thresholds: Thresholds = DEFAULT_THRESHOLDS,
    encoding: str = DEFAULT_ENCODING,
) -> CatalogProfile:
    """Weigh every definition and judge every tool's answers. `seen` is by tool id."""
    total = weigh(catalog, encoding).total_tokens or 1

    def profiled(tool: Tool, weight: Weight) -> ToolProfile:
        found, capped = (seen or {}).get(tool.id, NOTHING_SEEN), caps(tool.id)
        answers = answer_size.answer_risk(tool, *capped, thresholds, found.fields)
        return ToolProfile(tool, weight, weight.tokens / total, answers, capped, found)

    servers = []
    for server in catalog.servers:
        weights = weigh(server.tools, encoding)
        tools = tuple(map(profiled, server.tools, weights))
        servers.append(ServerProfile(server, tools, weights.total_tokens, weights.total_tokens / total))
    return CatalogProfile(tuple(servers), thresholds, encoding, catalog.fingerprint)


def _rank(tool: ToolProfile) -> tuple[float, bool, int, int, str]:
    return (
        -_severity(tool),
        not tool.is_risk_measured,
        -(tool.most_tokens or 0),
        -tool.weight.tokens,
        tool.id,
    )


def _severity(tool: ToolProfile) -> float:
    """Rank an unknown size that nothing bounds after a known medium risk."""
    if tool.risk is not None and tool.risk > Risk.LOW:
        return tool.risk.rank + 1
    return 1 if tool.risk is None and not tool.answers.bounded else 0.5 if tool.risk is None else 0
