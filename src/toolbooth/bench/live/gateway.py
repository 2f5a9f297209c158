"""A running Toolbooth gateway → its section: MCP for what a model reads, the HTTP API for tools and rankings."""

from dataclasses import dataclass, field, replace
from typing import Final

from toolbooth.bench.corpus import Corpus
from toolbooth.bench.golden import Question
from toolbooth.bench.latency import spread
from toolbooth.bench.live.adapter_yaml import find_adapter
from toolbooth.bench.live.exam import Exam
from toolbooth.bench.live.gateway_api import GatewayApi, Ranking, addresses, gateway_api
from toolbooth.bench.live.measure import Endpoint, Measured, Progress, measure_endpoints
from toolbooth.bench.live.section import Ranked, endpoint_section
from toolbooth.bench.report import EndpointSection, StepCost
from toolbooth.catalog import ServerSpec
from toolbooth.catalog.connect import reach
from toolbooth.errors import BackendFault, BackendTimeout
from toolbooth.tokens import DEFAULT_ENCODING

_SEARCHED: Final = "GET /api/v1/index/search"
_SURFACES: Final = {
    "call_tool": "toolbooth",
    "call_tool_chain": "toolbooth-code",
}  # in this order: full has both


@dataclass(frozen=True)
class Gateway:
    """Where it is, and its key."""

    spec: ServerSpec
    key: str = field(default="", repr=False)

    @property
    def api(self) -> str:
        """Where its HTTP API begins."""
        return addresses(self.spec.url).api

    @property
    def mcp(self) -> ServerSpec:
        """How a client of MCP reaches it."""
        headers = {"Authorization": f"Bearer {self.key}"} if self.key else {}
        return replace(self.spec, transport="http", url=addresses(self.spec.url).mcp, headers=headers)


async def gateway_corpus(gateway: Gateway) -> Corpus:
    """The tools behind it, with their schemas; raises one line where no gateway answers there."""
    try:
        async with gateway_api(gateway.api, gateway.key) as api:
            return await api.corpus()
    except BackendFault as fault:
        fault.server = fault.server or gateway.spec.name
        raise


async def measure_gateway(
    gateway: Gateway, exam: Exam, progress: Progress, encoding: str = DEFAULT_ENCODING
) -> EndpointSection:
    """Every question by both ways in turn; what the API ranks is scored, and compared with what a model is shown."""
    async with gateway_api(gateway.api, gateway.key) as api:
        beside, adapter = _Beside(api), find_adapter(await _surface(gateway.mcp))
        searches = adapter.finds == "search"
        endpoint = Endpoint("toolbooth", gateway.mcp, adapter, beside=beside if searches else None)
        (measured,) = await measure_endpoints([endpoint], exam, progress, encoding)
    return endpoint_section(measured, beside.ranked(), beside.times(), beside.agreement(measured))


async def _surface(spec: ServerSpec) -> str:
    """The adapter of the surface that this address shows, told by its menu."""
    reached = await reach(spec)
    if reached.tools is None:
        raise reached.fault or BackendTimeout("did not answer", spec.name)
    names = {tool.name for tool in reached.tools.tools}
    return next((adapter for tool, adapter in _SURFACES.items() if tool in names), "passthrough")


@dataclass
class _Beside:
    """Asks the API what was just asked over MCP; the first time is the warm-up."""

    api: GatewayApi
    found: dict[str, Ranking] = field(default_factory=dict)
    _warm: bool = False

    async def __call__(self, question: Question) -> None:
        ranking = await self.api.search(question.query)
        if self._warm:
            self.found[question.id] = ranking
        self._warm = True

    def ranked(self) -> Ranked:
        return Ranked(_SEARCHED, {each: ranking.ids for each, ranking in self.found.items()})

    def times(self) -> list[StepCost]:
        """Nothing of it is read by a model, so it has no tokens."""
        times = [each.ms for each in self.found.values()]
        return [StepCost(_SEARCHED, len(times), 0, 0, 0, spread(times))] if times else []

    def agreement(self, measured: Measured) -> list[str]:
        """How often both ways gave the same tools in the same order, as far as the shorter list goes."""
        asked = measured.probe.asked if measured.probe is not None else []
        both = [
            (each.shown, self.found[each.question.id].ids) for each in asked if each.question.id in self.found
        ]
        if not both:
            return []
        same = sum(_agree(shown, ids) for shown, ids in both)
        searched = spread(each.took_ms for each in self.found.values())
        return [
            f"rankings are those of the HTTP API; search_tools showed the same tools first in {same} of {len(both)}",
            f"the gateway itself says that it searched {searched.p50_ms:.2f} ms at the median",
        ]


def _agree(shown: tuple[str, ...], ids: tuple[str, ...]) -> bool:
    depth = min(len(shown), len(ids))
    return shown[:depth] == ids[:depth] and bool(shown) == bool(ids)
