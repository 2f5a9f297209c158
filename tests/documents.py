"""The documents for users, README.md and the pages of docs/guide, and the blocks of code in them."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGES = {
    path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8")
    for path in (ROOT / "README.md", *sorted((ROOT / "docs" / "guide").glob("*.md")))
}


def guide(topic: str) -> str:
    """The text of one page of docs/guide."""
    return PAGES[f"docs/guide/{topic}.md"]


def fenced(language: str, text: str | None = None) -> list[str]:
    """The blocks in this language, of one text or of all pages."""
    found = [text] if text is not None else PAGES.values()
    return [
        block for each in found for block in re.findall(rf"^```{language}\n(.*?)^```$", each, re.M | re.S)
    ]
