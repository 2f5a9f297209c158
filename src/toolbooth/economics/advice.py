"""Advice on a catalog, ranked by the tokens that it saves."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from toolbooth import figures, limits
from toolbooth.catalog import Catalog, SetAside
from toolbooth.economics import answer_size, tool_words
from toolbooth.economics.duplicates import Cluster, Repeated, repeated_servers

MENU_TOKENS: Final = 190  # the most that the menu of `toolbooth serve` costs; a test of the gateway checks it
SEARCH_TOKENS: Final = 350  # the most that an answer of eight hits costs on average; another test checks it
# A task of one tool call takes 3 model calls through the gateway: menu and instructions in each, a search answer in 2,
# so 1,630 tokens. Without it, 2 model calls carry the whole surface. Both are equal at a surface of 815 tokens.
WORTH_A_GATEWAY: Final = limits.WORTH_A_GATEWAY
LONG_DESCRIPTION: Final = 300  # tokens; of 2,994 public tools, 19 in 20 have a shorter description
MANY: Final = frozenset(("list", "search", "query", "export", "find", "all", "logs", "log", "diff"))
NAMED: Final = 3  # tools that a message names; it only counts the others


@dataclass(frozen=True)
class Advice:
    """One thing to do. `saving_tokens` is per model call, and an estimate if `exact` is false."""

    id: str
    saving_tokens: int
    message: str
    tools: tuple[str, ...] = ()
    exact: bool = True


@dataclass(frozen=True)
class CatalogFacts:
    """What the advice is based on. Mappings are by tool id."""

    catalog: Catalog
    tokens: Mapping[str, int]
    description_tokens: Mapping[str, int] = field(default_factory=dict)
    slim_savings: Mapping[str, int] = field(default_factory=dict)
    duplicates: tuple[Cluster, ...] = ()
    answers: tuple[answer_size.AnswerRisk, ...] = ()

    @cached_property
    def total(self) -> int:
        """Tokens of the whole surface."""
        return sum(self.tokens.get(tool.id, 0) for tool in self.catalog)

    @cached_property
    def repeated(self) -> tuple[Repeated, ...]:
        """Servers whose tools are the same, word for word."""
        return repeated_servers(self.catalog.servers)

    @cached_property
    def look_alikes(self) -> tuple[Cluster, ...]:
        """Clusters that the advice on repeated servers does not cover already."""
        covered = {tool.id for group in self.repeated for server in group.spare for tool in server.tools}
        return tuple(each for each in self.duplicates if not covered.intersection(each.tools))


AdviceKind = Callable[[CatalogFacts], Iterable[Advice]]
KINDS: Final[list[AdviceKind]] = []


def advice_kind(function: AdviceKind) -> AdviceKind:
    """Register a kind of advice. Advice of equal savings keeps the order of this table."""
    KINDS.append(function)
    return function


def advise(facts: CatalogFacts) -> tuple[Advice, ...]:
    """All advice, the largest saving first."""
    found = [advice for kind in KINDS for advice in kind(facts)]
    return tuple(sorted(found, key=lambda advice: -advice.saving_tokens))


@advice_kind
def gateway(facts: CatalogFacts) -> Iterator[Advice]:
    """The saving is the whole surface minus the most that menu and instructions may cost."""
    if facts.total > WORTH_A_GATEWAY:
        carried = MENU_TOKENS + limits.INSTRUCTION_TOKENS
        servers = len(facts.catalog.servers)
        message = (
            f"Put {'the server' if servers == 1 else f'the {servers:,} servers'} behind the gateway: `toolbooth wrap "
            "CLIENT` (or a config file) moves a client's servers there and `toolbooth unwrap` back, or let the client "
            f"start `toolbooth serve`. A model call then carries at most {carried} tokens instead of "
            f"{facts.total:,}; a search costs one more turn and about {SEARCH_TOKENS} tokens."
        )
        yield Advice("gateway", facts.total - carried, message, exact=False)


@advice_kind
def repeated_server(facts: CatalogFacts) -> Iterator[Advice]:
    for group in facts.repeated:
        ids = tuple(tool.id for server in group.spare for tool in server.tools)
        saving = sum(facts.tokens.get(each, 0) for each in ids)
        yield Advice("repeated-server", saving, _repeated_words(group), ids, exact=False)


@advice_kind
def slim_schemas(facts: CatalogFacts) -> Iterator[Advice]:
    savings = {tool: saved for tool, saved in facts.slim_savings.items() if saved > 0}
    if savings:
        ids = _most_first(savings)
        message = (
            f"Slim the schemas of {_tools(ids)}, most in {_named(ids)}: the parts that go mean nothing to a validator "
            "or a model. `toolbooth serve --surface direct` slims every tool, with names such as `server__tool` that "
            "cost about 2 tokens more each; for a server of your own, `toolbooth.economics.slim` does it in code."
        )
        yield Advice("slim-schemas", sum(savings.values()), message, ids)


@advice_kind
def long_descriptions(facts: CatalogFacts) -> Iterator[Advice]:
    over = {
        tool: tokens - LONG_DESCRIPTION
        for tool, tokens in facts.description_tokens.items()
        if tokens > LONG_DESCRIPTION
    }
    if over:
        ids = _most_first(over)
        message = f"Shorten {_tools(ids)} with a description of over {LONG_DESCRIPTION} tokens, {_named(ids)} first."
        yield Advice("long-descriptions", sum(over.values()), message, ids, exact=False)


@advice_kind
def near_duplicates(facts: CatalogFacts) -> Iterator[Advice]:
    clusters = [each for each in facts.look_alikes if each.saving_tokens]
    if clusters:
        message = (
            f"Keep one of each group if they do the same: {figures.counted(len(clusters), 'group')} of tools "
            "have the same "
            f"name and inputs and similar descriptions, for instance {_example(clusters)}."
        )
        saving = sum(cluster.saving_tokens for cluster in clusters)
        yield Advice("near-duplicates", saving, message, _members(clusters), exact=False)


@advice_kind
def confusable_names(facts: CatalogFacts) -> Iterator[Advice]:
    clusters = [each for each in facts.look_alikes if not each.saving_tokens]
    if clusters:
        message = (
            "Rename or hide one tool of each group that a model may confuse: "
            f"{figures.counted(len(clusters), 'group')}, for "
            f"instance {_example(clusters)} ({clusters[0].why})."
        )
        yield Advice("confusable-names", 0, message, _members(clusters))


@advice_kind
def unbounded_answers(facts: CatalogFacts) -> Iterator[Advice]:
    unbounded = [answer for answer in facts.answers if not answer.bounded]
    known = [answer for answer in unbounded if answer.profile is not None]
    known.sort(
        key=lambda answer: (_sounds_small(answer), -answer.profile.max_tokens if answer.profile else 0)
    )
    if unbounded:
        unseen = sorted((each for each in unbounded if each.profile is None), key=_sounds_small)
        ids = tuple(answer.tool_id for answer in (*known, *unseen))
        unknown = len(unseen)
        have = "has no limit on its answers" if len(ids) == 1 else "have no limit on their answers"
        message = (
            f"{_tools(ids)} {have} ({unknown:,} of unknown size): give such a tool an input "
            f'`limit` with a `maximum`, or cap it in toolbooth.yaml: `tools: {{"{ids[0]}": {{max_bytes: 14000}}}}`.'
        )
        yield Advice("unbounded-answers", 0, message, ids)


@advice_kind
def set_aside(facts: CatalogFacts) -> Iterator[Advice]:
    """Advice on malformed tools. A list that was cut short is reported as a source error."""
    malformed = [entry for entry in facts.catalog.set_aside if entry.kind == "malformed"]
    if malformed:
        message = (
            f"Report {figures.counted(len(malformed), 'malformed tool')} to the maker of the server: no model "
            "can call it, "
            f"for instance {_entry(malformed[0])}: {malformed[0].reason}."
        )
        yield Advice("set-aside", 0, message, tuple(map(_entry, malformed)))


@advice_kind
def twice_in_one_list(facts: CatalogFacts) -> Iterator[Advice]:
    twice = [entry for entry in facts.catalog.set_aside if entry.kind == "duplicate"]
    if twice:
        message = (
            f"Report {figures.counted(len(twice), 'name')} that a server lists twice to its maker: no model can know "
            f"which tool is meant, so only the first counts here, for instance {_entry(twice[0])}."
        )
        yield Advice("twice-in-one-list", 0, message, tuple(map(_entry, twice)))


def _sounds_small(answer: answer_size.AnswerRisk) -> bool:
    """Whether a tool's name does not suggest many items, so that a `list` or `export` is a better example."""
    return not MANY.intersection(tool_words.split_name(answer.tool_id))


def _repeated_words(group: Repeated) -> str:
    spare = [server.server for server in group.spare]
    tools = figures.counted(len(group.spare[0].tools), "tool")
    roots = "both roots" if len(spare) == 1 else "all their roots"
    otherwise = f"if not, one server with {roots} would do."
    if not group.equal:
        verb = "has" if len(spare) == 1 else "have"
        return (
            f"{_listed(spare)} {verb} {tools}, and {group.kept.server} has each of them, word for word: if they reach "
            f"the same data, remove {_listed(spare)}; {otherwise}"
        )
    advice = "remove one" if len(spare) == 1 else "keep one"
    return (
        f"{_listed([group.kept.server, *spare])} have the same {tools}, word for word: if they reach the same data, "
        f"{advice}; {otherwise}"
    )


def _listed(names: Sequence[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def _example(clusters: Sequence[Cluster]) -> str:
    return " and ".join(clusters[0].tools[:2])


def _members(clusters: Sequence[Cluster]) -> tuple[str, ...]:
    return tuple(tool for cluster in clusters for tool in cluster.tools)


def _entry(entry: SetAside) -> str:
    return f"{entry.server}.{entry.name or '(no name)'}"


def _most_first(amounts: Mapping[str, int]) -> tuple[str, ...]:
    return tuple(sorted(amounts, key=lambda tool: (-amounts[tool], tool)))


def _tools(ids: tuple[str, ...]) -> str:
    return figures.counted(len(ids), "tool")


def _named(ids: tuple[str, ...]) -> str:
    return ", ".join(ids[:NAMED])
