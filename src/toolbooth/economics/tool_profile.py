"""A catalog, the bounds of a config and what was seen of answers → a profile of every tool, server and the whole."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

from toolbooth.catalog import Catalog, ServerTools, Tool
from toolbooth.economics.answer_size import AnswerRisk, Caps, answer_risk, no_caps
from toolbooth.economics.measured import Measured, nearest_rank
from toolbooth.economics.profile import ServerSummary, summarize
from toolbooth.economics.risk import DEFAULT_THRESHOLDS, Risk, Thresholds
from toolbooth.tokens import DEFAULT_ENCODING, Weight, weigh


class Seen(NamedTuple):
    """What is known of a tool's real answers: sizes, and the fields that stood in them."""

    measured: Measured | None = None
    fields: tuple[str, ...] | None = None


NOTHING_SEEN: Final = Seen()


@dataclass(frozen=True)
class ToolProfile:
    """One tool: what its definition weighs, what its answers may cost, and what they did cost where that was seen."""

    tool: Tool
    weight: Weight
    share: float
    answers: AnswerRisk
    caps: Caps = (None, None)
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
        """Whether the config bounds the answers: what a server sent before does not pass then."""
        return self.caps != (None, None)

    @property
    def risk(self) -> Risk | None:
        """The worse of what is estimated and what was seen, or the config's bound; None where nothing is known.

        What was seen alone would pass a tool that nobody has yet asked for much.
        """
        if self.measured is None or (self.is_capped and self.answers.risk):
            return self.answers.risk
        return max(filter(None, (self.answers.risk, self.measured.risk)))

    @property
    def is_risk_measured(self) -> bool:
        """Whether real answers alone give that tier; an estimate of the same tier adds nothing."""
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
        """The most that was estimated ÷ the most that was seen; a bound of the config is no estimate."""
        if self.measured is None or self.answers.profile is None or self.is_capped or not self.measured.worst:
            return None
        return self.answers.profile.max_tokens / self.measured.worst


@dataclass(frozen=True)
class ServerProfile:
    """One server, its tools in the order sent. The summary is of the tools whose answers can be estimated."""

    server: ServerTools
    tools: tuple[ToolProfile, ...]
    tokens: int
    share: float

    @cached_property
    def summary(self) -> ServerSummary:
        """Sums of estimates."""
        return summary_of(self.tools)


class EstimateErrors(NamedTuple):
    """Estimate ÷ measured, over the tools that have both."""

    tools: int
    answers: int
    least: float
    median: float
    most: float


@dataclass(frozen=True)
class CatalogProfile:
    """All that `toolbooth profile` knows."""

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
        """Every tool, the riskiest first; of equal risk the one that may cost the most."""
        return tuple(sorted(self.tools, key=_rank))

    @cached_property
    def summary(self) -> ServerSummary:
        """Of all tools whose answers can be estimated."""
        return summary_of(self.tools)

    @property
    def tokens(self) -> int:
        """Tokens of all definitions."""
        return sum(server.tokens for server in self.servers)

    @property
    def estimate_errors(self) -> EstimateErrors | None:
        """How good the estimates are, as far as that was seen."""
        both = [(tool, error) for tool in self.tools if (error := tool.estimate_error) is not None]
        if not both:
            return None
        errors = sorted(error for _, error in both)
        middle = nearest_rank(((place, 1) for place in range(len(errors))), 50)
        answers = sum(tool.measured.answers for tool, _ in both if tool.measured)
        return EstimateErrors(len(errors), answers, errors[0], errors[middle], errors[-1])


def worst_risk(tools: Iterable[ToolProfile]) -> Risk | None:
    """The worst that is known; None where nothing is."""
    return max((tool.risk for tool in tools if tool.risk), default=None)


def summary_of(tools: Iterable[ToolProfile]) -> ServerSummary:
    """Of those that can be estimated."""
    return summarize(tool.answers.profile for tool in tools if tool.answers.profile)


def profile_catalog(
    catalog: Catalog,
    seen: Mapping[str, Seen] | None = None,
    caps: Callable[[str], Caps] = no_caps,
    thresholds: Thresholds = DEFAULT_THRESHOLDS,
    encoding: str = DEFAULT_ENCODING,
) -> CatalogProfile:
    """Weigh every definition and judge every tool's answers; `seen` goes by tool id."""
    total = weigh(catalog, encoding).total_tokens or 1

    def profiled(tool: Tool, weight: Weight) -> ToolProfile:
        found, capped = (seen or {}).get(tool.id, NOTHING_SEEN), caps(tool.id)
        answers = answer_risk(tool, *capped, thresholds, found.fields)
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
    """An unknown size that nothing bounds stands behind what is known to be medium."""
    if tool.risk is not None and tool.risk > Risk.LOW:
        return tool.risk.rank + 1
    return 1 if tool.risk is None and not tool.answers.bounded else 0.5 if tool.risk is None else 0
