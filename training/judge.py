"""The figures of a packed model on every exam and on the held-out requests, alone and fused, for the log."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from toolbooth.bench.golden import GoldenQuestion, GoldenSet, Label, load_golden
from toolbooth.bench.scores import SearchFunction, score
from toolbooth.catalog import Catalog, ServerTools
from toolbooth.search import SearchEngine, StaticTable
from training.log import Log
from training.material import Material, Pair, is_held_out
from training.sources import BUILT_IN, read_tools

_DEPTH = 10


class Paper(NamedTuple):
    """A catalog and the questions put to it."""

    name: str
    catalog: Catalog
    golden: GoldenSet


def judge(folder: Path, data: Path, material: Material, say: Log) -> None:
    """Nothing is selected by these figures: the settings were selected with the held-out requests."""
    table = StaticTable(folder)
    ways: dict[str, Callable[[Catalog], SearchFunction]] = {
        "alone": lambda catalog: alone(catalog, table),
        "fused": lambda catalog: _fused(catalog, table),
    }
    for paper in [held_out_paper(material), *_exams(data)]:
        for way, search in ways.items():
            means = score(search(paper.catalog), paper.golden).means
            ndcg, recall = round(means.ndcg_at_10, 4), round(means.recall_at[5], 4)
            say(
                f"{paper.name}, {way}: nDCG@10 {ndcg:.3f}, R@5 {recall:.3f}",
                set=paper.name,
                ndcg=ndcg,
                recall=recall,
            )


def alone(catalog: Catalog, table: StaticTable) -> SearchFunction:
    """By meaning only: the tools with the nearest vectors."""
    vectors = np.concatenate([table.embed_tools(each.tools, _about(each)) for each in catalog.servers])
    ids = [tool.id for each in catalog.servers for tool in each.tools]

    def search(query: str) -> Sequence[str]:
        near = vectors @ table.embed_queries([query])[0]
        return [ids[at] for at in np.argsort(-near, kind="stable")[:_DEPTH].tolist()]

    return search


def _fused(catalog: Catalog, table: StaticTable) -> SearchFunction:
    engine = SearchEngine.of(catalog, table)
    return lambda query: [hit.tool.id for hit in engine.search(query, _DEPTH).hits]


def _about(server: ServerTools) -> str:
    return " ".join(part for part in (server.title, server.description, server.instructions) if part)


def held_out_paper(material: Material) -> Paper:
    """All tools of the held-out servers, and the requests written for them."""
    servers: dict[str, ServerTools] = {}
    for source in filter(is_held_out, material.sources):
        name = source.tool.server
        known = servers.get(name, ServerTools(name, (), description=source.about))
        servers[name] = ServerTools(name, (*known.tools, source.tool), description=known.description)
    asked = [_question(at, pair, material) for at, pair in enumerate(material.held_out)]
    return Paper("held-out requests", Catalog(tuple(servers.values())), GoldenSet("held out", tuple(asked)))


def _question(at: int, pair: Pair, material: Material) -> GoldenQuestion:
    tool = material.sources[pair.tool].tool
    return GoldenQuestion(str(at), pair.text, (Label(f"{tool.server}:{tool.name}", 2),), pair.kind)


def _exams(data: Path) -> Iterator[Paper]:
    """Every golden set with the corpus of its folder; if there are several, the one without schemas, as published."""
    for folder in [*sorted(each for each in (data / "retrieval").iterdir() if each.is_dir()), BUILT_IN]:
        catalog = read_tools(sorted(folder.glob("corpus*.json"))[0])
        for path in sorted(folder.glob("*golden*.json")):
            yield Paper(f"{folder.name} {path.stem}", catalog, load_golden(path))
