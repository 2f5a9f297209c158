"""First-turn tokens: what a client's model is sent of 20 to 3,000 tools, as they are and through Toolbooth."""

import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from scripts.real_clients.modes import MODES, Mode, home_of, until_known
from tests.catalogs import CATALOGS, RETRIEVAL
from tests.real_clients.client_home import ClientHome
from tests.real_clients.clients import CLAUDE_CODE, CODEX
from tests.real_clients.tasks import warm_up, wrap

from toolbooth.bench.corpus import BUILTIN_CORPUS
from toolbooth.bench.growth.sized_catalogs import Sampler
from toolbooth.catalog import Catalog, ServerTools, decode, read_catalog

SIZES: Final = (20, 100, 500, 3_000)
WITHOUT: Final = "without Toolbooth"
SETUPS: Final = (WITHOUT, "search", "code", "direct")
_SEED: Final = 1
# Real servers first; beyond their tools, made-up ones of the same kind.
_REAL: Final = (*CATALOGS, RETRIEVAL / "mcpproxy" / "corpus_v2.tools.json", BUILTIN_CORPUS)


class FirstTurn(NamedTuple):
    """One cell: tokens of definitions, names and instructions that the model was sent of MCP servers.

    None if the client does not start with such a server: Codex takes no list of more than 2,048 tools.
    """

    tools: int
    setup: str
    mode: str
    tokens: int | None
    loaded: int = 0
    deferred: int = 0


def catalog_of(size: int) -> Catalog:
    """The first so many tools of whole servers; the last server may be cut."""
    real = [server for path in _REAL for server in read_catalog(decode(path.read_bytes()), path).servers]
    everything = (
        Sampler(Catalog(tuple(each for each in real if each.tools)), _SEED).catalog(max(SIZES)).catalog
    )
    taken: list[ServerTools] = []
    left = size
    for server in everything.servers:
        if left <= 0:
            break
        taken.append(ServerTools(server.server, server.tools[:left], server.instructions))
        left -= len(server.tools)
    return Catalog(tuple(taken))


def acted(catalog: Catalog) -> dict[str, dict[str, Any]]:
    """What a server of each name offers."""
    return {
        re.sub(r"[^a-z0-9]+", "-", server.server.lower()).strip("-"): {
            "tools": [{"inputSchema": {"type": "object"}, **tool.raw} for tool in server.tools],
            **({"instructions": server.instructions} if server.instructions else {}),
        }
        for server in catalog.servers
    }


def measure(sizes: Sequence[int] = SIZES) -> Iterator[FirstTurn]:
    """Every cell, one session of a real client for each."""
    for size in sizes:
        parts = acted(catalog_of(size))
        for client in (CLAUDE_CODE, CODEX):
            for setup in SETUPS:
                with tempfile.TemporaryDirectory() as folder, home_of(Path(folder), client, parts) as home:
                    if setup != WITHOUT:
                        warm_up(home, wrap(home, "--surface", setup))
                        _wait_for_it(home)
                    modes = [mode for mode in MODES if mode.client is client]
                    yield from (_measured(home, mode, size, setup) for mode in modes)


def _wait_for_it(home: ClientHome) -> None:
    """Codex is told that it needs the gateway, too: else its first turn may come before thousands of tools."""
    text = home.config.read_text(encoding="utf-8")
    if home.client is CODEX and "required" not in text:
        home.config.write_text(
            text.replace("\ncommand = ", "\nrequired = true\ncommand = ", 1), encoding="utf-8"
        )


def _measured(home: ClientHome, mode: Mode, size: int, setup: str) -> FirstTurn:
    known = size if setup in (WITHOUT, "direct") else 1
    session = home.run(until_known(known), *mode.words, **mode.environ)
    if "catalog limit" in session.errors:
        return FirstTurn(size, setup, mode.label, None)
    sent = session.sent[-1]
    return FirstTurn(size, setup, mode.label, sent.tokens, len(sent.loaded), len(sent.deferred))


def table(cells: Sequence[FirstTurn]) -> str:
    """The cells in Markdown: a row for each size and setup, a column for each mode."""
    found = {(cell.tools, cell.setup, cell.mode): cell for cell in cells}
    labels = [mode.label for mode in MODES]
    rows = [("tools", "setup", *labels), ("---:", "---", *("---:" for _ in labels))]
    for size in dict.fromkeys(cell.tools for cell in cells):
        for setup in SETUPS:
            cut = [_shown(found, size, setup, label) for label in labels]
            rows.append((f"{size:,}", setup if setup == WITHOUT else f"`{setup}`", *cut))
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def _shown(found: Mapping[tuple[int, str, str], FirstTurn], size: int, setup: str, label: str) -> str:
    cell = found.get((size, setup, label))
    if cell is None:
        return "–"
    return "refused" if cell.tokens is None else f"{cell.tokens:,}"
