"""What a scan read and found, its table on a terminal, and the page that explains the rules."""

from argparse import Namespace
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from toolbooth import contracts, errors, figures, safetext
from toolbooth.catalog import Catalog, SourceError, Sources
from toolbooth.cli import contract_output, terminal
from toolbooth.cli.sources import LiveContracts, ask_live, named_sources
from toolbooth.contracts.lint import lint_rules
from toolbooth.contracts.reporting import ContractReport, Locations, file_locations, lock_locations
from toolbooth.contracts.scan import scan_rules, visible
from toolbooth.tokens import DEFAULT_ENCODING

LOCK = ".lock"


def read_all(options: Namespace, command: Sequence[str]) -> LiveContracts:
    """Read locks and saved catalogs, and ask servers; a live server takes precedence over a locked one."""
    locks = [name for name in options.source if name.endswith(LOCK) and "://" not in name]
    others = [name for name in options.source if name not in locks]
    locked, source_errors = _locked(locks)
    live = (
        _others(others, command, options)
        if others or command or not locks
        else LiveContracts(contracts.Contracts())
    )
    servers = {**locked, **live.contracts.servers}
    return replace(
        live,
        contracts=replace(live.contracts, servers=servers),
        source_errors=(*source_errors, *live.source_errors),
    )


def _others(named: Sequence[str], command: Sequence[str], options: Namespace) -> LiveContracts:
    """Where only saved catalogs are named, no server is started, and the protocol SDK is not imported: 1 s."""
    if named and not command:
        sources = named_sources(named, (), None)
        if not sources.servers:
            return _saved(sources)
    asked = Namespace(
        source=named,
        timeout=options.timeout,
        user_only=options.user_only,
        trust_project=options.trust_project,
    )
    return ask_live(asked, command, DEFAULT_ENCODING)


def _saved(sources: Sources) -> LiveContracts:
    catalog = Catalog(sources.recorded)
    aside = (
        f"{entry.server}: {entry.name or 'an entry'} was not scanned: {entry.reason}"
        for entry in catalog.set_aside
    )
    found = contracts.contracts_of(catalog)
    return LiveContracts(
        found,
        sources.source_errors,
        (*sources.notes, *aside),
        recorded=frozenset(found.servers),
        down=sources.unusable - found.servers.keys(),
    )


def _locked(names: Sequence[str]) -> tuple[dict[str, contracts.ServerContract], list[SourceError]]:
    servers: dict[str, contracts.ServerContract] = {}
    source_errors = []
    for name in names:
        try:
            servers |= contracts.read_lock(Path(name).expanduser()).contracts.servers
        except errors.ConfigError as error:
            source_errors.append(SourceError(name, error.message))
    return servers, source_errors


@dataclass(frozen=True)
class ScanReport:
    """What was looked at and found; `ignored` is how many findings the user left out."""

    live: LiveContracts
    findings: tuple[contracts.Finding, ...]
    ignored: int
    fail_on: contracts.Level
    linted: bool

    @property
    def tool_count(self) -> int:
        """Tools that were looked at."""
        return sum(len(server.tools) for server in self.live.contracts.servers.values())

    @property
    def levels(self) -> dict[contracts.Level, int]:
        """How many findings of each level, the worst first."""
        counts = Counter(finding.level for finding in self.findings)
        return {level: counts[level] for level in sorted(contracts.Level, reverse=True)}

    @property
    def tokens(self) -> int:
        """Tokens that fixing the findings would save; added text is not subtracted."""
        return sum(max(0, finding.tokens) for finding in self.findings)

    @property
    def failed(self) -> bool:
        """Whether a finding is at or above the gate."""
        return any(finding.level >= self.fail_on for finding in self.findings)

    @property
    def exit_code(self) -> int:
        """1 found; 2 or 3 where nothing was found, but a file or a server could not be read."""
        if self.failed:
            return 1
        return self.live.failure_code if self.live.source_errors else 0

    @property
    def verdict(self) -> str:
        """One sentence for a person."""
        gate = self.fail_on.name.lower()
        above = sum(finding.level >= self.fail_on for finding in self.findings)
        if self.failed:
            return (
                f"{figures.counted(above, 'finding')} at or above {gate}: read the text before a model does"
            )
        unread = ", but not everything could be read" if self.live.source_errors else ""
        return f"nothing at or above {gate}{unread}"

    def as_report(self, source: Sequence[str]) -> ContractReport:
        """The report for the formats that `lock` has too; `source` is what the user named."""
        rules = Counter(finding.rule for finding in self.findings)
        return ContractReport(
            "toolbooth scan",
            findings=self.findings,
            verdict=self.verdict,
            exit_code=self.exit_code,
            source_errors=tuple(
                (source_error.where, source_error.reason) for source_error in self.live.source_errors
            ),
            notes=self.live.notes,
            locations=self._locations(source),
            more={
                "servers": len(self.live.contracts.servers),
                "tools": self.tool_count,
                "fail_on": self.fail_on.name.lower(),
                "failed": self.failed,
                "rules": dict(sorted(rules.items())),
                "ignored": self.ignored,
                "saving_tokens": self.tokens,
            },
        )

    def _locations(self, source: Sequence[str]) -> Locations:
        """In the lock where one was named alone, else in the configs and catalogs that were named."""
        files = contract_output.named_files(source)
        if len(files) == 1 and files[0].suffix == LOCK:
            return lock_locations(files[0], contract_output.repository())
        return file_locations(files, contract_output.repository())


STYLES: Final = {
    contracts.Level.HIGH: "bold red",
    contracts.Level.MEDIUM: "bold yellow",
    contracts.Level.LOW: "cyan",
    contracts.Level.NOTE: "dim",
}
MOST_SHOWN: Final = 40
MOST_NOTES: Final = 4
_EVIDENCE: Final = 240


def print_scan(report: ScanReport, *, everything: bool) -> None:
    """A heading, the findings, and the verdict."""
    console = terminal.out()
    _heading(console, report)
    least = (
        contracts.Level.NOTE if everything or report.fail_on is contracts.Level.NOTE else contracts.Level.LOW
    )
    wanted = [finding for finding in report.findings if finding.level >= least]
    shown = wanted if everything else wanted[:MOST_SHOWN]
    _findings(console, shown)
    _rest(console, report, len(wanted) - len(shown), len(report.findings) - len(wanted))
    console.print(Text(report.verdict, "bold green" if report.exit_code == 0 else "bold red"))


def _heading(console: Console, report: ScanReport) -> None:
    servers = figures.counted(len(report.live.contracts.servers), "server")
    line = Text().append(f"{figures.counted(report.tool_count, 'tool')} of {servers}", "bold")
    for level, count in report.levels.items():
        if count:
            line.append("  ").append(f"{figures.number(count)} {level.name.lower()}", STYLES[level])
    console.print(line)
    console.print()


def _findings(console: Console, findings: Sequence[contracts.Finding]) -> None:
    for server, of_server in _grouped(findings, lambda finding: finding.server):
        console.print(Text(safetext.for_terminal(server, 80), "bold"))
        for tool, of_tool in _grouped(of_server, lambda finding: finding.tool):
            console.print(
                terminal.indented(
                    Text(safetext.for_terminal(visible(tool), 80) or "the server itself", "bold")
                )
            )
            for finding in of_tool:
                _finding(console, finding)
        console.print()


def _grouped(
    findings: Iterable[contracts.Finding], key: Callable[[contracts.Finding], str]
) -> list[tuple[str, list[contracts.Finding]]]:
    """By name; the group with the worst finding first."""
    groups = [(name, list(group)) for name, group in groupby(sorted(findings, key=key), key)]
    return sorted(groups, key=lambda group: (-max(each.level for each in group[1]), group[0]))


def _finding(console: Console, finding: contracts.Finding) -> None:
    line = Text().append(f"{finding.level.name.lower():6}  ", STYLES[finding.level])
    line.append(safetext.for_terminal(visible(finding.message), 300))
    console.print(Padding(line, (0, 0, 0, 4), expand=False))
    for detail in _details(finding):
        console.print(Padding(Text(detail, "dim"), (0, 0, 0, 12), expand=False))


def _details(finding: contracts.Finding) -> Iterator[str]:
    yield f"{finding.rule} at {safetext.for_terminal(visible(finding.path), 120) or '/'}"
    if finding.evidence:
        yield f"“{safetext.for_terminal(visible(finding.evidence), _EVIDENCE)}”"
    if finding.tokens > 0:
        yield f"fixing it saves {figures.number(finding.tokens)} tokens"
    elif finding.tokens < 0:
        yield f"fixing it costs about {figures.number(-finding.tokens)} tokens"


def _rest(console: Console, report: ScanReport, more: int, notes: int) -> None:
    lines = [f"… and {figures.number(more)} more (--all shows them, --json has all)"] if more else []
    if notes:
        lines.append(f"{figures.counted(notes, 'note')} hidden (--all shows them)")
    if report.ignored:
        lines.append(f"{figures.counted(report.ignored, 'finding')} ignored by --ignore")
    if report.linted and report.tokens:
        lines.append(
            f"fixing these would save up to {figures.counted(report.tokens, 'token')} on every model call"
        )
    noted = [safetext.for_terminal(note) for note in report.live.notes]
    lines += noted[:MOST_NOTES]
    if len(noted) > MOST_NOTES:
        lines.append(f"… and {figures.number(len(noted) - MOST_NOTES)} more such lines (--json has all)")
    for line in lines:
        console.print(terminal.indented(Text(line, "dim")))
    if lines:
        console.print()


def show_rules(*, as_json: bool) -> None:
    """Every rule with its level and its reason."""
    if as_json:
        terminal.print_json({"scan": _as_json(scan_rules()), "lint": _as_json(lint_rules())})
        return
    _print("attacks on models", scan_rules())
    _print("wasted tokens and misleading definitions (--lint)", lint_rules())
    _print_reach()


def _as_json(rules: Sequence[contracts.FindingRule]) -> list[dict[str, str]]:
    return [{"id": rule.id, "level": rule.level.name.lower(), "sentence": rule.sentence} for rule in rules]


def _print_reach() -> None:
    """Print what the rules can and cannot find."""
    said = "rules match words, not meaning; they find about one in nine published attacks"
    terminal.out().print(Text(f"{said} (docs/scan-false-positives.md)", "dim"))


def _print(title: str, rules: Sequence[contracts.FindingRule]) -> None:
    console = terminal.out()
    console.print(Text(title, "bold"))
    for rule in rules:
        line = Text().append(f"{rule.level.name.lower():6}  ", STYLES[rule.level]).append(rule.id)
        console.print(Padding(line, (0, 0, 0, 2), expand=False))
        console.print(Padding(Text(rule.sentence, "dim"), (0, 0, 0, 10), expand=False))
    console.print()
