"""The book, its cache and its menus are there before numpy, the tokenizer and the protocol SDK are."""

import subprocess
import sys

ROOMS = ("book", "cache", "jobs", "results", "surfaces", "texts")
HEAVY = (
    "numpy",
    "rapidfuzz",
    "splintr",
    "mcp",
    "toolbooth.search",
    "toolbooth.economics",
    "toolbooth.tokens",
)


def test_nothing_heavy_is_imported_before_it_is_needed() -> None:
    imports = ", ".join(f"toolbooth.gateway.{room}" for room in ROOMS)
    code = f"import sys, {imports}; print([name for name in {HEAVY!r} if name in sys.modules])"
    said = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert said.stdout.strip() == "[]"
