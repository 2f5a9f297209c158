"""What is known of a catalog → a ranked list of advice, the most tokens saved first."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from toolbooth.catalog import Catalog, ServerTools, canonical
from toolbooth.economics.answer_risk import AnswerRisk
from toolbooth.economics.duplicates import Cluster
from toolbooth.economics.tool_words import split_name

MENU_TOKENS: Final = 190  # the most that the gateway's default menu may cost, by its specification
WORTH_A_GATEWAY: Final = 1000  # below this the menu and the extra turn to search cost more than they save
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
    def repeated(self) -> tuple[tuple[ServerTools, ServerTools], ...]:
        """Servers all of whose tools an earlier or larger server offers word for word, with that server."""
        return tuple(_repeated(self.catalog.servers))


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
    if evidence.total > WORTH_A_GATEWAY:
        servers = _counted(len(evidence.catalog.servers), "server")
        message = (
            f"Put {servers} behind a gateway with a search surface: the model then carries a menu of about "
            f"{MENU_TOKENS} tokens instead of {evidence.total:,}, and pays for what it looks up. "
            "(Toolbooth's own gateway is not part of this version.)"
        )
        yield Advice("gateway", evidence.total - MENU_TOKENS, message, exact=False)


@advice_kind
def repeated_server(evidence: Evidence) -> Iterator[Advice]:
    for server, other in evidence.repeated:
        ids = tuple(tool.id for tool in server.tools)
        message = f"Remove the server {server.server}: {other.server} offers each of its {_tools(ids)} word for word."
        yield Advice("repeated-server", sum(evidence.tokens.get(each, 0) for each in ids), message, ids)


@advice_kind
def slim_schemas(evidence: Evidence) -> Iterator[Advice]:
    savings = {tool: saved for tool, saved in evidence.slim_savings.items() if saved > 0}
    if savings:
        ids = _most_first(savings)
        message = (
            f"Slim the schemas of {_tools(ids)}: what goes says nothing to a validator or a model; "
            f"most in {_named(ids)}."
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
    gone = {tool.id for server, _ in evidence.repeated for tool in server.tools}
    clusters = [
        each for each in evidence.duplicates if each.saving_tokens and not gone.intersection(each.tools)
    ]
    if clusters:
        ids = tuple(tool for cluster in clusters for tool in cluster.tools)
        example = " and ".join(clusters[0].tools[:2])
        message = (
            f"Offer one of each: {_counted(len(clusters), 'group')} of tools look alike to a model, "
            f"for instance {example} ({clusters[0].why})."
        )
        yield Advice("near-duplicates", sum(cluster.saving_tokens for cluster in clusters), message, ids)


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
    entries = evidence.catalog.set_aside
    if entries:
        first = entries[0]
        message = (
            f"Report {_counted(len(entries), 'malformed tool')} to the maker of the server: no model can call it, "
            f"for instance {first.server}.{first.name or '(no name)'}: {first.reason}."
        )
        yield Advice("set-aside", 0, message, tuple(f"{entry.server}.{entry.name}" for entry in entries))


def _sounds_small(answer: AnswerRisk) -> bool:
    """Whether a tool's name does not speak of many things: a `list` or `export` is the better example."""
    return not MANY.intersection(split_name(answer.tool_id))


def _repeated(servers: tuple[ServerTools, ...]) -> Iterator[tuple[ServerTools, ServerTools]]:
    definitions = [
        frozenset(canonical([tool.name, tool.description, tool.input_schema]) for tool in server.tools)
        for server in servers
    ]
    for index, own in enumerate(definitions):
        for other, theirs in enumerate(definitions):
            if own and index != other and (own < theirs or (own == theirs and other < index)):
                yield servers[index], servers[other]
                break


def _most_first(amounts: Mapping[str, int]) -> tuple[str, ...]:
    return tuple(sorted(amounts, key=lambda tool: (-amounts[tool], tool)))


def _tools(ids: tuple[str, ...]) -> str:
    return _counted(len(ids), "tool")


def _counted(number: int, what: str) -> str:
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"


def _named(ids: tuple[str, ...]) -> str:
    return ", ".join(ids[:NAMED])
