"""Tables of cells as text in columns or as Markdown, and the replacement of a Markdown block in a document."""

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

BEGIN: Final = "<!-- bench-model -->"
END: Final = "<!-- /bench-model -->"
_BLOCK: Final = re.compile(rf"(?ms)^{BEGIN}$.*?^{END}$")


class Table(NamedTuple):
    """Cells under column heads, with a line above and an optional one below."""

    title: str
    heads: Sequence[str]
    rows: Sequence[Sequence[str]]
    below: str = ""


def as_text(table: Table) -> str:
    """Columns as wide as their widest cell."""
    lines = [table.heads, *table.rows]
    widths = [max(len(line[at]) for line in lines) for at in range(len(table.heads))]
    padded = (
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in lines
    )
    shown = [table.title, *(f"  {line}" for line in padded), *([f"  {table.below}"] if table.below else [])]
    return "\n".join(shown)


def as_markdown(table: Table) -> str:
    """The title is bold, because a document has its own headings."""
    lines = [table.heads, ["---"] * len(table.heads), *table.rows]
    rows = [f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |" for line in lines]
    below = ["", table.below] if table.below else []
    return "\n".join([f"**{table.title}**", "", *rows, *below])


def has_block(document: str) -> bool:
    """Whether both markers are present, once and in order."""
    found = len(_BLOCK.findall(document))
    return found == 1 and document.count(BEGIN) == document.count(END) == 1


def replace_block(document: str, block: str) -> str:
    """Replace what is between the two markers; everything else stays."""
    return _BLOCK.sub(lambda _: f"{BEGIN}\n{block.strip()}\n{END}", document)
