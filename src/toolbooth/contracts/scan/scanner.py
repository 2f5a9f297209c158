"""Running the scan: every rule over the definitions of a catalog or of contracts, findings worst first."""

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import replace
from typing import Any, NamedTuple

from toolbooth import limits
from toolbooth.contracts.contract import ServerDefinitions, Source, definitions_of
from toolbooth.contracts.finding import Finding, FindingRule, Level, with_keys_masked, worst_first
from toolbooth.contracts.scan import rules as _filled  # importing the rules fills the tables
from toolbooth.contracts.scan.rule import CATALOG_RULES, TEXT_RULES, TOOL_RULES, Passage, ScanHit, text_rule
from toolbooth.contracts.scan.texts import TextKind, texts_of

__all__ = ["scan", "scan_rules"]
RULE_MODULES = _filled


class _Seen(NamedTuple):
    rule: str
    hit: ScanHit


def scan_rules() -> tuple[FindingRule, ...]:
    """Every rule of the scan, worst first."""
    entries = [entry.rule for table in (TEXT_RULES, TOOL_RULES, CATALOG_RULES) for entry in table]
    return tuple(sorted(entries, key=lambda rule: (-rule.level, rule.id)))


def scan(source: Source, only: Collection[str] | None = None) -> tuple[Finding, ...]:
    """Scan every text that a model reads, every tool, and the servers side by side.

    `only` restricts the scan to the rules with these ids. The same source always gives the same findings.
    """
    servers = definitions_of(source)
    found = [*_Scanning(only).run(servers)]
    return worst_first(found)


class _Scanning:
    """One run, in which a text that occurs many times is judged once."""

    def __init__(self, only: Collection[str] | None) -> None:
        self._asked: Callable[[str], bool] = (
            (lambda _id: True) if only is None else frozenset(only).__contains__
        )
        self._texts = [entry for entry in TEXT_RULES if self._asked(entry.rule.id)]
        self._judged: dict[tuple[TextKind, str], tuple[_Seen, ...]] = {}

    def run(self, servers: tuple[ServerDefinitions, ...]) -> Iterator[Finding]:
        for definitions in servers:
            yield from self._of_value(definitions.server, "", definitions.own_texts)
            for tool in definitions.tools:
                yield from self._of_value(definitions.server, tool.name, tool.raw)
                for entry in TOOL_RULES:
                    for path, hit in entry.judge(tool) if self._asked(entry.rule.id) else ():
                        yield _finding(entry.rule.id, definitions.server, tool.name, path, hit)
        for whole in CATALOG_RULES:
            if self._asked(whole.rule.id):
                yield from (_cut(finding) for finding in whole.judge(servers))

    def _of_value(self, server: str, tool: str, value: Any) -> Iterator[Finding]:
        for path, kind, text in texts_of(value):
            for seen in self._of_text(kind, text):
                yield _finding(seen.rule, server, tool, path, seen.hit)

    def _of_text(self, kind: TextKind, text: str) -> tuple[_Seen, ...]:
        key = (kind, text)
        known = self._judged.get(key)
        if known is None:
            known = self._judged[key] = tuple(
                self._judge(Passage(text[: limits.MAX_SCANNED_TEXT], kind), len(text))
            )
        return known

    def _judge(self, passage: Passage, length: int) -> Iterator[_Seen]:
        for entry in self._texts:
            hits = [self._with_behind(hit) for hit in entry.judge(passage)]
            if hits:
                yield _Seen(entry.rule.id, max(hits, key=lambda hit: hit.level))
        if length > limits.MAX_SCANNED_TEXT and self._asked("over-long-text"):
            yield _Seen("over-long-text", _too_long(passage, length))

    def _with_behind(self, hit: ScanHit) -> ScanHit:
        """Scan hidden text as well; a hidden attack is high."""
        if not hit.behind or hit.level is Level.HIGH:
            return hit
        inner = Passage(hit.behind[: limits.MAX_SCANNED_TEXT], TextKind.PROSE)
        hits = [each for entry in TEXT_RULES for each in entry.judge(inner)]
        worst = max(hits, key=lambda each: each.level, default=None)
        if worst is None or worst.level < Level.MEDIUM:
            return hit
        return ScanHit(Level.HIGH, f"{hit.message}, and {worst.message}", hit.evidence)


@text_rule(
    "over-long-text",
    Level.HIGH,
    "A text longer than any context cannot be scanned whole, so its end may hold anything.",
)
def _over_long_text(_passage: Passage) -> Iterable[ScanHit]:
    return ()  # a passage is cut before any rule sees it; `_judge` reports the full length


def _too_long(passage: Passage, length: int) -> ScanHit:
    return ScanHit(
        Level.HIGH,
        f"{length} characters, of which only the first {limits.MAX_SCANNED_TEXT} were scanned",
        passage.text[-60:],
    )


def _finding(rule: str, server: str, tool: str, path: str, hit: ScanHit) -> Finding:
    return _cut(Finding(rule, hit.level, server, tool, path, hit.message, hit.evidence))


def _cut(finding: Finding) -> Finding:
    """Shorten the evidence, and mask any key that happens to be in it."""
    quote = with_keys_masked(finding.evidence)
    most = limits.SCAN_EVIDENCE + 120
    return replace(finding, evidence=quote if len(quote) <= most else f"{quote[: most - 1]}…")
