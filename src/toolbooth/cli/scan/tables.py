"""A scan on a terminal, findings by server and tool with their evidence, and the page that explains the rules."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Final

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from toolbooth.cli.scan.report import ScanReport
from toolbooth.cli.terminal import indented, out
from toolbooth.contracts import Finding, Level
from toolbooth.contracts.lint import lint_rules
from toolbooth.contracts.scan import scan_rules, visible
from toolbooth.figures import counted, number
from toolbooth.safetext import for_terminal

if TYPE_CHECKING:
    from toolbooth.contracts import FindingRule


STYLES: Final = {Level.HIGH: "bold red", Level.MEDIUM: "bold yellow", Level.LOW: "cyan", Level.NOTE: "dim"}
MOST_SHOWN: Final = 40
MOST_NOTES: Final = 4
_EVIDENCE: Final = 240


def print_scan(report: ScanReport, *, everything: bool) -> None:
    """A heading, the findings, and one sentence on what they come to."""
    console = out()
    _heading(console, report)
    least = Level.NOTE if everything or report.fail_on is Level.NOTE else Level.LOW
    wanted = [finding for finding in report.findings if finding.level >= least]
    shown = wanted if everything else wanted[:MOST_SHOWN]
    _findings(console, shown)
    _rest(console, report, len(wanted) - len(shown), len(report.findings) - len(wanted))
    console.print(Text(report.verdict, "bold green" if report.exit_code == 0 else "bold red"))


def _heading(console: Console, report: ScanReport) -> None:
    servers = counted(len(report.live.contracts.servers), "server")
    line = Text().append(f"{counted(report.tool_count, 'tool')} of {servers}", "bold")
    for level, count in report.levels.items():
        if count:
            line.append("  ").append(f"{number(count)} {level.name.lower()}", STYLES[level])
    console.print(line)
    console.print()


def _findings(console: Console, findings: Sequence[Finding]) -> None:
    for server, of_server in _grouped(findings, lambda finding: finding.server):
        console.print(Text(for_terminal(server, 80), "bold"))
        for tool, of_tool in _grouped(of_server, lambda finding: finding.tool):
            console.print(
                indented(Text(for_terminal(visible(tool), 80) or "what the server says of itself", "bold"))
            )
            for finding in of_tool:
                _finding(console, finding)
        console.print()


def _grouped(findings: Iterable[Finding], key: Callable[[Finding], str]) -> list[tuple[str, list[Finding]]]:
    """By name; the group with the worst finding first."""
    groups = [(name, list(group)) for name, group in groupby(sorted(findings, key=key), key)]
    return sorted(groups, key=lambda group: (-max(each.level for each in group[1]), group[0]))


def _finding(console: Console, finding: Finding) -> None:
    line = Text().append(f"{finding.level.name.lower():6}  ", STYLES[finding.level])
    line.append(for_terminal(visible(finding.message), 300))
    console.print(Padding(line, (0, 0, 0, 4), expand=False))
    for detail in _details(finding):
        console.print(Padding(Text(detail, "dim"), (0, 0, 0, 12), expand=False))


def _details(finding: Finding) -> Iterator[str]:
    yield f"{finding.rule} at {for_terminal(visible(finding.path), 120) or '/'}"
    if finding.evidence:
        yield f"“{for_terminal(visible(finding.evidence), _EVIDENCE)}”"
    if finding.tokens > 0:
        yield f"fixing it saves {number(finding.tokens)} tokens"
    elif finding.tokens < 0:
        yield f"fixing it costs about {number(-finding.tokens)} tokens"


def _rest(console: Console, report: ScanReport, more: int, notes: int) -> None:
    lines = [f"… and {number(more)} more (--all shows them, --json has all)"] if more else []
    if notes:
        lines.append(f"{counted(notes, 'note')} left out (--all shows them)")
    if report.ignored:
        lines.append(f"{counted(report.ignored, 'finding')} left out by --ignore")
    if report.linted and report.tokens:
        lines.append(f"fixing would save up to {counted(report.tokens, 'token')} on every call of a model")
    noted = [for_terminal(note) for note in report.live.notes]
    lines += noted[:MOST_NOTES]
    if len(noted) > MOST_NOTES:
        lines.append(f"… and {number(len(noted) - MOST_NOTES)} more such lines (--json has all)")
    for line in lines:
        console.print(indented(Text(line, "dim")))
    if lines:
        console.print()


def show_rules(*, as_json: bool) -> None:
    """What is looked for, how bad it may be, and why."""
    if as_json:
        from toolbooth.cli.terminal import print_json

        print_json({"scan": _as_json(scan_rules()), "lint": _as_json(lint_rules())})
        return
    _print("attacks on models", scan_rules())
    _print("what wastes tokens or misleads a model (--lint)", lint_rules())
    _print_reach()


def _as_json(rules: Sequence["FindingRule"]) -> list[dict[str, str]]:
    return [{"id": rule.id, "level": rule.level.name.lower(), "sentence": rule.sentence} for rule in rules]


def _print_reach() -> None:
    """Print what the rules can and cannot find."""
    from rich.text import Text

    from toolbooth.cli.terminal import out

    said = "rules match words, not meaning; they find about one in nine published attacks"
    out().print(Text(f"{said} (docs/scan-false-positives.md)", "dim"))


def _print(title: str, rules: Sequence["FindingRule"]) -> None:
    from rich.padding import Padding
    from rich.text import Text

    from toolbooth.cli.terminal import out

    console = out()
    console.print(Text(title, "bold"))
    for rule in rules:
        line = Text().append(f"{rule.level.name.lower():6}  ", STYLES[rule.level]).append(rule.id)
        console.print(Padding(line, (0, 0, 0, 2), expand=False))
        console.print(Padding(Text(rule.sentence, "dim"), (0, 0, 0, 10), expand=False))
    console.print()
