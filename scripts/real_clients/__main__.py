"""Run the real clients, and print what they do and what their models are sent at the first turn.

`python -m scripts.real_clients` prints both tables of docs/clients.md, `--write` writes them into it. One client runs
after the other; all of it takes about ten minutes. `scripts/fetch_test_parts.py` installs the clients.
"""

import argparse
import json
import re
import sys
from collections.abc import Mapping
from pathlib import Path

from scripts.real_clients import facts, first_turn
from scripts.real_clients.modes import MODES
from tests.real_clients.network import isolation
from tests.real_clients.versions import installed_versions

PAGE = Path(__file__).parents[2] / "docs" / "clients.md"
PARTS = ("versions", "facts", "tokens")


def main() -> int:
    """Measure what is asked for; print it, and write it with `--write`."""
    options = argparse.ArgumentParser(
        prog="python -m scripts.real_clients", description=(__doc__ or "").strip()
    )
    options.add_argument("--write", action="store_true", help="write the tables into docs/clients.md")
    options.add_argument("--json", action="store_true", help="print the figures as JSON")
    options.add_argument("--only", choices=PARTS, action="append", help="only this table (may be repeated)")
    options.add_argument(
        "--sizes", type=int, nargs="+", default=first_turn.SIZES, metavar="TOOLS", help="catalogs to measure"
    )
    chosen = options.parse_args()
    wanted = chosen.only or PARTS
    if chosen.write and tuple(chosen.sizes) != first_turn.SIZES and "tokens" in wanted:
        options.error("--write needs the table of all sizes")
    say(f"clients run {isolation()}")
    measured = {part: MEASURES[part](chosen.sizes) for part in PARTS if part in wanted}
    if chosen.json:
        print(json.dumps({part: data for part, (data, _) in measured.items()}, indent=1))
    else:
        print("\n".join(text for _, text in measured.values()))
    if chosen.write:
        write({part: text for part, (_, text) in measured.items()})
    return 0


def versions(_sizes: object) -> tuple[object, str]:
    """The versions that are installed."""
    found = installed_versions()
    return found, "".join(f"- {name} {version}\n" for name, version in found.items())


def what_they_do(_sizes: object) -> tuple[object, str]:
    """The table of facts."""
    found = {}
    for mode in MODES:
        say(f"{mode.label}: what it does")
        found[mode.label] = facts.facts_of(mode)
    return found, facts.table(found)


def first_turns(sizes: "list[int]") -> tuple[object, str]:
    """The table of first-turn tokens."""
    cells = []
    for cell in first_turn.measure(sizes):
        tokens = "refused" if cell.tokens is None else f"{cell.tokens:,} tokens"
        say(f"{cell.tools} tools, {cell.setup}, {cell.mode}: {tokens}")
        cells.append(cell)
    return [cell._asdict() for cell in cells], first_turn.table(cells)


def say(what: str) -> None:
    print(what, file=sys.stderr, flush=True)


def write(blocks: Mapping[str, str]) -> None:
    """Put each block between its markers."""
    text = PAGE.read_text(encoding="utf-8")
    for name, block in blocks.items():
        pattern = re.compile(rf"(<!-- measured: {name} -->\n).*?(<!-- /measured -->)", re.S)
        before, after = pattern.search(text), block
        if before is None:
            raise SystemExit(f"{PAGE} has no block {name!r}")
        text = text.replace(before[0], f"{before[1]}{after}{before[2]}")
    PAGE.write_text(text, encoding="utf-8")


MEASURES = {"versions": versions, "facts": what_they_do, "tokens": first_turns}

if __name__ == "__main__":
    sys.exit(main())
