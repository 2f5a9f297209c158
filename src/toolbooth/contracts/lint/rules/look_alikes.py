"""All servers → tools that a model would confuse, with what one of each cluster could save."""

from collections.abc import Iterator, Sequence
from typing import Final

from toolbooth.contracts.finding import Finding, Level
from toolbooth.contracts.lint.rule import WeighedServer, whole_rule
from toolbooth.contracts.served import catalog_of
from toolbooth.economics import near_duplicates

_MOST_NAMED: Final = 3


@whole_rule(
    "near-duplicate",
    Level.LOW,
    "Of two tools that look alike a model picks one by chance, and both are paid.",
)
def near_duplicate(servers: Sequence[WeighedServer]) -> Iterator[Finding]:
    catalog = catalog_of(server.served for server in servers)
    weights = {each.tool.id: each.weight.tokens for server in servers for each in server.tools}
    homes = {tool.id: tool for tool in catalog}
    for cluster in near_duplicates(catalog, weights):
        first = homes[cluster.tools[0]]
        others = ", ".join(cluster.tools[1 : _MOST_NAMED + 1])
        more = (
            f" and {len(cluster.tools) - _MOST_NAMED - 1} more"
            if len(cluster.tools) > _MOST_NAMED + 1
            else ""
        )
        level = Level.LOW if cluster.within_one_server else Level.NOTE
        words = f"a model may confuse it with {others}{more}: {cluster.why}"
        yield Finding(
            "near-duplicate",
            level,
            first.server,
            first.name,
            "/name",
            words,
            first.name,
            cluster.saving_tokens,
        )
