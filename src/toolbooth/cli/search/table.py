"""A search result as lines that a person reads and a tool can be called from."""

from rich.table import Table
from rich.text import Text

from toolbooth.cli.terminal import out
from toolbooth.safetext import for_terminal
from toolbooth.search import Hit, SearchResult, one_line, signature


def print_hits(result: SearchResult, *, explain: bool = False) -> None:
    """Best first: relevance, signature, first sentence; with the reasons if asked for."""
    console = out()
    for typed, meant in result.corrected.items():
        console.print(
            Text(f"searched for “{for_terminal(meant, 60)}” instead of “{for_terminal(typed, 60)}”", "dim")
        )
    if result.hits:
        console.print(_table(result, explain))
    else:
        console.print(Text("no tool matches", "bold"))
    for words, terms in (("nearest terms", result.nearest), ("try also", result.try_also)):
        if terms:
            console.print(Text(f"{words}: {for_terminal(', '.join(terms))}", "dim"))


def _table(result: SearchResult, explain: bool) -> Table:
    table = Table.grid(padding=(0, 2))
    table.add_column(no_wrap=True, style="cyan", min_width=4)
    table.add_column()
    for hit in result.hits:
        table.add_row(f"{hit.score:4.2f}", _line(hit))
        if explain:
            table.add_row("", Text(_why(hit), "dim"))
    return table


def _line(hit: Hit) -> Text:
    name, bracket, rest = for_terminal(signature(hit.tool), 400).partition("(")
    line = Text(name, "bold").append(bracket + rest, "not bold")
    said = one_line(hit.tool.description)
    return line.append(f" — {said}", "dim not bold") if said else line


def _why(hit: Hit) -> str:
    fields = ", ".join(hit.why.fields) or "no word"
    tiers = ", ".join(hit.why.tiers) or "none"
    boost = f" · usage +{hit.why.usage_boost:.3f}" if hit.why.usage_boost else ""
    return (
        f"matched {fields} · by {tiers} · words {hit.why.lexical:.2f} · meaning {hit.why.semantic:.2f}{boost}"
    )
