"""Changes of contracts and findings in definitions → what a person or a program reads of them.

A format is one entry of `FORMATS`; `lock`, `diff` and `scan` all speak through `tell`.
"""

import json
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import groupby, takewhile
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from toolbooth.contracts import Change, Diff, Finding, Level, Severity
from toolbooth.safetext import for_terminal

if TYPE_CHECKING:
    from rich.console import Console

MOST_SHOWN: Final = 60  # of one severity; more is for a program
_VALUE: Final = 70  # characters of a value before or after
_STYLES: Final = ("dim", "green", "bold yellow", "bold red")  # by severity, and by level
About = Mapping[str, Any]


def add_output(parser: ArgumentParser) -> None:
    """The options that choose a format."""
    parser.add_argument("--json", action="store_true", help="all of it as JSON")


def tell(diff: Diff, findings: Sequence[Finding], options: Namespace, about: About | None = None) -> None:
    """Print changes and findings in the format that was asked for; `about` is what else a program should know."""
    FORMATS["json" if options.json else "human"](diff, findings, about or {})


def severity_words(diff: Diff) -> str:
    """2 breaking, 1 safe; the worst first."""
    counts = _counts(diff)
    return ", ".join(f"{count:,} {name}" for name, count in counts.items() if count)


def _counts(diff: Diff) -> dict[str, int]:
    return {
        severity.name.lower(): sum(change.severity is severity for change in diff.changes)
        for severity in sorted(Severity, reverse=True)
    }


class _Line(NamedTuple):
    """One change or finding, as it is shown."""

    severity: Severity | Level
    where: str
    message: str
    rule: str
    details: tuple[str, ...]


def _as_human(diff: Diff, findings: Sequence[Finding], _about: About) -> None:
    from toolbooth.cli.terminal import out

    console = out()
    _print_lines(console, (_line_of_change(change) for change in diff.changes))
    _print_lines(console, (_line_of_finding(finding) for finding in findings))


def _line_of_change(change: Change) -> _Line:
    details: tuple[str, ...] = ()
    if change.path and (change.before, change.after) != (None, None):
        before, after = _where_they_differ(_as_text(change.before), _as_text(change.after))
        details = (f"{for_terminal(change.path, _VALUE)}: {_short(before)} → {_short(after)}",)
    return _Line(change.severity, change.where, change.message, change.rule, details)


def _line_of_finding(finding: Finding) -> _Line:
    details = []
    if finding.evidence:
        details = [
            f"{for_terminal(finding.path, _VALUE) or '/'}: {for_terminal(finding.evidence, 2 * _VALUE)}"
        ]
    if finding.tokens:
        effect = f"saves {finding.tokens:,}" if finding.tokens > 0 else f"costs {-finding.tokens:,}"
        details.append(f"mending it {effect} tokens")
    return _Line(finding.level, finding.where, finding.message, finding.rule, tuple(details))


def _as_text(value: Any) -> str:
    """A value of a definition, foreign and of any size."""
    if value is None:
        return "(nothing)"
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


def _where_they_differ(before: str, after: str) -> tuple[str, str]:
    """Long texts from a little before their first difference: what was added at the end of one is to be seen."""
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(before, after, strict=False)))
    start = same - _VALUE // 3
    return (before, after) if start <= 0 else (f"…{before[start:]}", f"…{after[start:]}")


def _short(text: str) -> str:
    return for_terminal(text, _VALUE) or '""'


def _print_lines(console: "Console", lines: Iterable[_Line]) -> None:
    from rich.padding import Padding
    from rich.text import Text

    def indented(text: Text, columns: int) -> None:
        console.print(Padding(text, (0, 0, 0, columns), expand=False))

    for severity, group in groupby(lines, lambda line: line.severity):
        same = list(group)
        console.print(Text(f"{severity.name} · {len(same):,}", _STYLES[severity]))
        for where, of_one in groupby(same[:MOST_SHOWN], lambda line: line.where):
            indented(Text(for_terminal(where, 120) or "all servers", "bold"), 2)
            for line in of_one:
                message = Text(for_terminal(line.message)).append(f"  {for_terminal(line.rule, 60)}", "dim")
                indented(message, 4)
                for detail in line.details:
                    indented(Text(detail, "dim"), 6)
        if len(same) > MOST_SHOWN:
            indented(Text(f"… and {len(same) - MOST_SHOWN:,} more (--json has all)", "dim"), 2)
        console.print()


def _as_json(diff: Diff, findings: Sequence[Finding], about: About) -> None:
    from toolbooth import __version__
    from toolbooth.cli.terminal import print_json

    worst = diff.worst
    print_json(
        {
            "toolbooth": __version__,
            **about,
            "worst": None if worst is None else worst.name.lower(),
            "counts": _counts(diff),
            "changes": [change_json(change) for change in diff.changes],
            "findings": [finding_json(finding) for finding in findings],
        }
    )


def change_json(change: Change) -> dict[str, Any]:
    """One change for a program."""
    return {
        "rule": change.rule,
        "severity": change.severity.name.lower(),
        "server": change.server,
        "tool": change.tool,
        "path": change.path,
        "message": change.message,
        "before": change.before,
        "after": change.after,
    }


def finding_json(finding: Finding) -> dict[str, Any]:
    """One finding for a program."""
    return {
        "rule": finding.rule,
        "level": finding.level.name.lower(),
        "server": finding.server,
        "tool": finding.tool,
        "path": finding.path,
        "message": finding.message,
        "evidence": finding.evidence,
        "tokens": finding.tokens,
    }


FORMATS: Final[dict[str, Callable[[Diff, Sequence[Finding], About], None]]] = {
    "human": _as_human,
    "json": _as_json,
}
