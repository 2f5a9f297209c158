"""The tables of rules → a page that explains each, or JSON."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from toolbooth.contracts.lint import lint_rules
from toolbooth.contracts.scan import scan_rules

if TYPE_CHECKING:
    from toolbooth.contracts import FindingRule


def show_rules(*, as_json: bool) -> None:
    """What is looked for, how bad it may be, and why."""
    if as_json:
        from toolbooth.cli.terminal import print_json

        print_json({"scan": _as_json(scan_rules()), "lint": _as_json(lint_rules())})
        return
    _print("what attacks models", scan_rules())
    _print("what wastes tokens or misleads a model (--lint)", lint_rules())
    _print_reach()


def _as_json(rules: Sequence["FindingRule"]) -> list[dict[str, str]]:
    return [{"id": rule.id, "level": rule.level.name.lower(), "sentence": rule.sentence} for rule in rules]


def _print_reach() -> None:
    """A list of rules reads like a promise: what it is worth stands below it."""
    from rich.text import Text

    from toolbooth.cli.terminal import out

    said = "rules know words, not meaning: of published attacks they find about one in nine"
    out().print(Text(f"{said} (docs/scan-false-positives.md)", "dim"))


def _print(title: str, rules: Sequence["FindingRule"]) -> None:
    from rich.padding import Padding
    from rich.text import Text

    from toolbooth.cli.scan_table import STYLES
    from toolbooth.cli.terminal import out

    console = out()
    console.print(Text(title, "bold"))
    for rule in rules:
        line = Text().append(f"{rule.level.name.lower():6}  ", STYLES[rule.level]).append(rule.id)
        console.print(Padding(line, (0, 0, 0, 2), expand=False))
        console.print(Padding(Text(rule.sentence, "dim"), (0, 0, 0, 10), expand=False))
    console.print()
