"""What is known of a catalog → a ranked list of advice: the most tokens saved first."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from toolbooth.catalog import Catalog, SetAside
from toolbooth.economics.answer_risk import AnswerRisk
from toolbooth.economics.duplicates import Cluster
from toolbooth.economics.repeated import Repeated, repeated_servers
from toolbooth.economics.tool_words import split_name
from toolbooth.figures import counted
from toolbooth.limits import INSTRUCTION_TOKENS

MENU_TOKENS: Final = 190  # the most that the menu of `toolbooth serve` costs; a test of the gateway holds it
SEARCH_TOKENS: Final = 350  # the most that an answer of eight hits costs on average; held by another
# A task of one call: 3 model calls with menu and instructions, and a search answer in 2 of them, are 1,630 tokens
# through the gateway; without it 2 model calls carry the whole surface. Even at 815; beyond, the gateway wins.
WORTH_A_GATEWAY: Final = 1000
LONG_DESCRIPTION: Final = 300  # tokens; 19 in 20 of 2,994 public tools describe themselves in fewer
MANY: Final = frozenset(("list", "search", "query", "export", "find", "all", "logs", "log", "diff"))
NAMED: Final = 3  # tools that a message names; the rest is counted


@dataclass(frozen=True)
class Advice:
    """One thing to do. `saving_tokens` is per model call; where `exact` is false it is an estimate."""

    id: str
    saving_tokens: int
    message: str
    tools: tuple[str, ...] = ()
    exact: bool = True


@dataclass(frozen=True)
class Evidence:
    """What the advice is drawn from; mappings go by tool id."""

    catalog: Catalog
    tokens: Mapping[str, int]
    description_tokens: Mapping[str, int] = field(default_factory=dict)
    slim_savings: Mapping[str, int] = field(default_factory=dict)
    duplicates: tuple[Cluster, ...] = ()
    answers: tuple[AnswerRisk, ...] = ()

    @cached_property
    def total(self) -> int:
        """Tokens of the whole surface."""
        return sum(self.tokens.get(tool.id, 0) for tool in self.catalog)

    @cached_property
    def repeated(self) -> tuple[Repeated, ...]:
        """Servers that offer the same tools word for word."""
        return repeated_servers(self.catalog.servers)

    @cached_property
    def look_alikes(self) -> tuple[Cluster, ...]:
        """Clusters that the advice on repeated servers does not speak of already."""
        spoken = {tool.id for group in self.repeated for server in group.spare for tool in server.tools}
        return tuple(each for each in self.duplicates if not spoken.intersection(each.tools))


AdviceKind = Callable[[Evidence], Iterable[Advice]]
KINDS: Final[list[AdviceKind]] = []


def advice_kind(function: AdviceKind) -> AdviceKind:
    """Enter a kind of advice into the table; among equal savings the order here decides."""
    KINDS.append(function)
    return function


def advise(evidence: Evidence) -> tuple[Advice, ...]:
    """All that can be advised, the largest saving first."""
    found = [advice for kind in KINDS for advice in kind(evidence)]
    return tuple(sorted(found, key=lambda advice: -advice.saving_tokens))


@advice_kind
def gateway(evidence: Evidence) -> Iterator[Advice]:
    """The saving is what is left of the surface at the most that menu and instructions may cost."""
    if evidence.total > WORTH_A_GATEWAY:
        carried = MENU_TOKENS + INSTRUCTION_TOKENS
        servers = len(evidence.catalog.servers)
        message = (
            f"Put {'the server' if servers == 1 else f'the {servers:,} servers'} behind the gateway: `toolbooth wrap "
            "CLIENT` (or a config file) moves a client's servers there and `toolbooth unwrap` back, or let the client "
            f"start `toolbooth serve`. A model call then carries at most {carried} tokens instead of "
            f"{evidence.total:,}; a search costs one more turn and about {SEARCH_TOKENS} tokens."
        )
        yield Advice("gateway", evidence.total - carried, message, exact=False)


@advice_kind
def repeated_server(evidence: Evidence) -> Iterator[Advice]:
    for group in evidence.repeated:
        ids = tuple(tool.id for server in group.spare for tool in server.tools)
        saving = sum(evidence.tokens.get(each, 0) for each in ids)
        yield Advice("repeated-server", saving, _repeated_words(group), ids, exact=False)


@advice_kind
def slim_schemas(evidence: Evidence) -> Iterator[Advice]:
    savings = {tool: saved for tool, saved in evidence.slim_savings.items() if saved > 0}
    if savings:
        ids = _most_first(savings)
        message = (
            f"Slim the schemas of {_tools(ids)}, most in {_named(ids)}: what goes says nothing to a validator or a "
            f"model. `toolbooth serve --surface direct` serves every tool so{_longer_names(evidence)}; for a server of "
            "your own, `toolbooth.economics.slim` does it in code."
        )
        yield Advice("slim-schemas", sum(savings.values()), message, ids)


@advice_kind
def long_descriptions(evidence: Evidence) -> Iterator[Advice]:
    over = {
        tool: tokens - LONG_DESCRIPTION
        for tool, tokens in evidence.description_tokens.items()
        if tokens > LONG_DESCRIPTION
    }
    if over:
        ids = _most_first(over)
        message = f"Shorten {_tools(ids)} whose description has over {LONG_DESCRIPTION} tokens: {_named(ids)} first."
        yield Advice("long-descriptions", sum(over.values()), message, ids, exact=False)


@advice_kind
def near_duplicates(evidence: Evidence) -> Iterator[Advice]:
    clusters = [each for each in evidence.look_alikes if each.saving_tokens]
    if clusters:
        message = (
            f"Offer one of each if they reach the same thing: {counted(len(clusters), 'group')} of tools share name "
            f"and inputs and are described alike, for instance {_example(clusters)}."
        )
        saving = sum(cluster.saving_tokens for cluster in clusters)
        yield Advice("near-duplicates", saving, message, _members(clusters), exact=False)


@advice_kind
def confusable_names(evidence: Evidence) -> Iterator[Advice]:
    clusters = [each for each in evidence.look_alikes if not each.saving_tokens]
    if clusters:
        message = (
            f"Tell {counted(len(clusters), 'group')} of tools apart that a model may confuse: rename or hide one of "
            f"each, for instance {_example(clusters)} ({clusters[0].why})."
        )
        yield Advice("confusable-names", 0, message, _members(clusters))


@advice_kind
def unbounded_answers(evidence: Evidence) -> Iterator[Advice]:
    unbounded = [answer for answer in evidence.answers if not answer.bounded]
    known = [answer for answer in unbounded if answer.profile is not None]
    known.sort(
        key=lambda answer: (_sounds_small(answer), -answer.profile.max_tokens if answer.profile else 0)
    )
    if unbounded:
        unseen = sorted((each for each in unbounded if each.profile is None), key=_sounds_small)
        ids = tuple(answer.tool_id for answer in (*known, *unseen))
        unknown = len(unseen)
        message = (
            f"Nothing bounds the answers of {_tools(ids)} ({unknown:,} of unknown size): give such a tool an input "
            f'`limit` with a `maximum`, or cap it in toolbooth.yaml: `tools: {{"{ids[0]}": {{max_bytes: 14000}}}}`.'
        )
        yield Advice("unbounded-answers", 0, message, ids)


@advice_kind
def set_aside(evidence: Evidence) -> Iterator[Advice]:
    """A list that was cut is no fault of a tool; it stands among the troubles."""
    malformed = [entry for entry in evidence.catalog.set_aside if entry.kind == "malformed"]
    if malformed:
        message = (
            f"Report {counted(len(malformed), 'malformed tool')} to the maker of the server: no model can call it, "
            f"for instance {_entry(malformed[0])}: {malformed[0].reason}."
        )
        yield Advice("set-aside", 0, message, tuple(map(_entry, malformed)))


@advice_kind
def twice_in_one_list(evidence: Evidence) -> Iterator[Advice]:
    twice = [entry for entry in evidence.catalog.set_aside if entry.kind == "duplicate"]
    if twice:
        message = (
            f"Report {counted(len(twice), 'name')} that a server lists twice to its maker: no model can tell which "
            f"is meant, so only the first counts here, for instance {_entry(twice[0])}."
        )
        yield Advice("twice-in-one-list", 0, message, tuple(map(_entry, twice)))


def _longer_names(evidence: Evidence) -> str:
    several = len(evidence.catalog.servers) > 1
    return ", under names as `server__tool` that cost about 2 tokens more each" if several else ""


def _sounds_small(answer: AnswerRisk) -> bool:
    """Whether a tool's name does not speak of many things: a `list` or `export` is the better example."""
    return not MANY.intersection(split_name(answer.tool_id))


def _repeated_words(group: Repeated) -> str:
    spare = [server.server for server in group.spare]
    tools = counted(len(group.spare[0].tools), "tool")
    roots = "both roots" if len(spare) == 1 else "all their roots"
    otherwise = f"if not, one server with {roots} would do."
    if not group.equal:
        verb = "offers" if len(spare) == 1 else "offer"
        return (
            f"{_listed(spare)} {verb} {tools}, each of which {group.kept.server} offers word for word: if they reach "
            f"the same thing, remove {_listed(spare)}; {otherwise}"
        )
    advice = "remove one" if len(spare) == 1 else "keep one"
    return (
        f"{_listed([group.kept.server, *spare])} offer the same {tools} word for word: if they reach the same thing, "
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
    return counted(len(ids), "tool")


def _named(ids: tuple[str, ...]) -> str:
    return ", ".join(ids[:NAMED])
