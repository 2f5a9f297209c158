"""The rows that need no running contender: the servers alone, and menus that were recorded."""

import json
from collections.abc import Iterator
from pathlib import Path

from toolbooth.bench import Pair
from toolbooth.bench.report import EndpointSection, ModeCost
from toolbooth.bench.tokens import count_schemas, savings, session_cost
from toolbooth.bench.tokens.offer import BASELINE, Offer
from toolbooth.catalog import read_catalog
from toolbooth.tokens import DEFAULT_ENCODING, weigh

DIRECT = "no gateway"
RECORDED = {"retrieve_tools": "mcpproxy, menu", "code_execution": "mcpproxy code, menu"}


def direct(pair: Pair) -> EndpointSection:
    """Every definition in the menu; the model is assumed to choose right every time."""
    offer = Offer(pair.corpus.catalog, DEFAULT_ENCODING)
    menu = offer.menu(BASELINE)
    asked = [each for each in pair.golden.questions if each.answerable]
    session = session_cost(DIRECT, menu.carried, [offer.session(BASELINE, each) for each in asked])
    nothing_saved = 0.0 if menu.schemas.counted else None
    mode = ModeCost(DIRECT, "", menu.tools, menu.tokens, menu.instructions, nothing_saved, "computed")
    said = "computed: the servers' own definitions, and a model that always chooses right"
    return EndpointSection(DIRECT, "", "oracle", menu.tokens, mode, (), session, None, None, notes=(said,))


def recorded(pair: Pair, data: Path | None) -> Iterator[EndpointSection]:
    """mcpproxy does not run here; its menu comes from recorded files of the data folder."""
    if data is None:
        return
    tools = pair.corpus.catalog
    baseline = weigh(tools).total_tokens
    counted = count_schemas(tool.input_schema for tool in tools).counted
    for name, row in RECORDED.items():
        path = data / "retrieval" / "mcpproxy" / f"proxy_menu_{name}_mode.json"
        if path.exists():
            menu = weigh(read_catalog(json.loads(path.read_text(encoding="utf-8")), path))
            saved = savings(menu.total_tokens, baseline) if counted else None
            mode = ModeCost(name, "", len(menu), menu.total_tokens, 0, saved)
            said = "its menu alone, from a recording: it does not run here"
            yield EndpointSection(row, "", "search", baseline, mode, (), None, None, None, notes=(said,))
