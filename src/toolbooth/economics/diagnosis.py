"""The diagnosis of a catalog: weights, shares, waste, risks, look-alikes and ranked advice."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from toolbooth.catalog import Catalog, ServerTools, SetAside, Tool
from toolbooth.economics import answer_size
from toolbooth.economics.advice import Advice, CatalogFacts, advise
from toolbooth.economics.duplicates import Cluster, near_duplicates
from toolbooth.economics.slimming import slimmed
from toolbooth.tokens import DEFAULT_ENCODING, Weight, count, weigh


@dataclass(frozen=True)
class ToolDiagnosis:
    """One tool: its weight, its share of the total, what slimming would save, and the risk of its answers."""

    tool: Tool
    weight: Weight
    tokens_by_encoding: Mapping[str, int]
    share: float
    slim_saving: int
    noise: Mapping[str, int]
    answers: answer_size.AnswerRisk


@dataclass(frozen=True)
class ServerDiagnosis:
    """One server: the sum of its tools. Its instructions cost extra and are counted separately."""

    server: ServerTools
    tokens: int
    tokens_by_encoding: Mapping[str, int]
    share: float
    instructions_tokens: int


@dataclass(frozen=True)
class Diagnosis:
    """Everything that doctor reports about a catalog. Tools and servers are sorted, heaviest first."""

    encodings: tuple[str, ...]
    fingerprint: str
    tools: tuple[ToolDiagnosis, ...]
    servers: tuple[ServerDiagnosis, ...]
    duplicates: tuple[Cluster, ...]
    advice: tuple[Advice, ...]
    set_aside: tuple[SetAside, ...]

    @property
    def total_tokens(self) -> int:
        """Tokens of the whole surface in the first encoding."""
        return sum(each.weight.tokens for each in self.tools)

    @property
    def totals(self) -> dict[str, int]:
        """Tokens of the whole surface in each encoding."""
        return {name: sum(each.tokens_by_encoding[name] for each in self.tools) for name in self.encodings}

    @property
    def slim_saving(self) -> int:
        """Tokens that lossless slimming of the schemas would save."""
        return sum(each.slim_saving for each in self.tools)

    @property
    def noise(self) -> dict[str, int]:
        """How often each kind of schema noise occurs in the catalog."""
        kinds: Counter[str] = Counter()
        for each in self.tools:
            kinds.update(each.noise)
        return dict(kinds.most_common())


def diagnose(
    catalog: Catalog,
    encodings: Sequence[str] = (DEFAULT_ENCODING,),
    caps: Callable[[str], answer_size.Caps] = answer_size.no_caps,
) -> Diagnosis:
    """Weigh a catalog in every encoding, and find what it could do without."""
    tools = _diagnose_tools(catalog, encodings, caps)
    facts = _facts(catalog, _heaviest_first(tools))
    return Diagnosis(
        encodings=tuple(encodings),
        fingerprint=catalog.fingerprint,
        tools=_heaviest_first(tools),
        servers=_diagnose_servers(catalog, tools, encodings),
        duplicates=facts.duplicates,
        advice=advise(facts),
        set_aside=catalog.set_aside,
    )


def _diagnose_tools(
    catalog: Catalog, encodings: Sequence[str], caps: Callable[[str], answer_size.Caps]
) -> tuple[ToolDiagnosis, ...]:
    by_encoding = {name: weigh(catalog, name) for name in encodings}
    first = by_encoding[encodings[0]]
    total = first.total_tokens or 1
    found = []
    for index, tool in enumerate(catalog):
        weight = first.tools[index]
        tokens = {name: weights.tools[index].tokens for name, weights in by_encoding.items()}
        saving, kinds = _waste(tool, weight, encodings[0])
        answers = answer_size.answer_risk(tool, *caps(tool.id))
        found.append(ToolDiagnosis(tool, weight, tokens, weight.tokens / total, saving, kinds, answers))
    return tuple(found)


def _heaviest_first(tools: Sequence[ToolDiagnosis]) -> tuple[ToolDiagnosis, ...]:
    return tuple(sorted(tools, key=lambda each: (-each.weight.tokens, each.tool.id)))


def _waste(tool: Tool, weight: Weight, encoding: str) -> tuple[int, Mapping[str, int]]:
    """The tokens that slimming saves, and the kinds of noise that it removes."""
    if not tool.input_schema:
        return 0, {}
    result = slimmed(tool.input_schema, tool.name)
    if not result.noise:
        return 0, {}
    tokens = count(replace(tool, input_schema=result.schema).definition, encoding)
    return max(0, weight.tokens - tokens), Counter(each.kind for each in result.noise)


def _facts(catalog: Catalog, tools: Sequence[ToolDiagnosis]) -> CatalogFacts:
    tokens = {each.tool.id: each.weight.tokens for each in tools}
    return CatalogFacts(
        catalog=catalog,
        tokens=tokens,
        description_tokens={each.tool.id: each.weight.description for each in tools},
        slim_savings={each.tool.id: each.slim_saving for each in tools},
        duplicates=near_duplicates(catalog, tokens),
        answers=tuple(each.answers for each in tools),
    )


def _diagnose_servers(
    catalog: Catalog, tools: Sequence[ToolDiagnosis], encodings: Sequence[str]
) -> tuple[ServerDiagnosis, ...]:
    """Sum by position, because a name may occur twice. `tools` are in the order of the catalog."""
    total = sum(each.weight.tokens for each in tools) or 1
    remaining = iter(tools)
    found = []
    for server in catalog.servers:
        own = tuple(islice(remaining, len(server.tools)))
        sums = {name: sum(each.tokens_by_encoding[name] for each in own) for name in encodings}
        tokens = sums[encodings[0]]
        instructions = count(server.instructions or "", encodings[0])
        found.append(ServerDiagnosis(server, tokens, sums, tokens / total, instructions))
    return tuple(sorted(found, key=lambda each: (-each.tokens, each.server.server)))
