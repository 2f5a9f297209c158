"""The tables of scan rules, filled by decorators, and the passage of text that a rule judges.

A rule judges one text, one tool, or all servers at once. A passage gives its text as sent, as it looks, and as words.
Each form is computed once, and only if a rule asks for it.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

from toolbooth import catalog
from toolbooth.contracts import contract, finding
from toolbooth.contracts.scan.lookalikes import as_it_looks
from toolbooth.contracts.scan.texts import TextKind
from toolbooth.contracts.words import TextWords, split_camel_case


@dataclass(frozen=True)
class Passage:
    """A text of one kind."""

    text: str
    kind: TextKind = TextKind.PROSE

    @cached_property
    def plain(self) -> str:
        """The text as a person reads it: nothing hidden, and Latin letters in place of look-alikes."""
        return as_it_looks(self.text)

    @cached_property
    def lowered(self) -> str:
        """The plain text in lower case."""
        return self.plain.lower()

    @cached_property
    def words(self) -> TextWords:
        """The words of the plain text; a name is split into its parts."""
        return TextWords(split_camel_case(self.plain) if self.kind.is_name else self.plain)


class ScanHit(NamedTuple):
    """What a rule found in one text. `behind` is text that was hidden or encoded there; it is scanned as well."""

    level: finding.Level
    message: str
    evidence: str
    behind: str = ""


class ToolHit(NamedTuple):
    """What a rule found in a tool, and where in its raw object."""

    path: str
    hit: ScanHit


TextFunction = Callable[[Passage], Iterable[ScanHit]]
ToolFunction = Callable[[catalog.Tool], Iterable[ToolHit]]
CatalogFunction = Callable[[Sequence[contract.ServerDefinitions]], Iterable[finding.Finding]]


class TextScanRule(NamedTuple):
    """A rule that judges each text by itself."""

    rule: finding.FindingRule
    judge: TextFunction


class ToolScanRule(NamedTuple):
    """A rule that judges whether the parts of one tool fit together."""

    rule: finding.FindingRule
    judge: ToolFunction


class CatalogScanRule(NamedTuple):
    """A rule that compares servers with one another."""

    rule: finding.FindingRule
    judge: CatalogFunction


TEXT_RULES: Final[list[TextScanRule]] = []
TOOL_RULES: Final[list[ToolScanRule]] = []
CATALOG_RULES: Final[list[CatalogScanRule]] = []


def text_rule(rule_id: str, level: finding.Level, sentence: str) -> Callable[[TextFunction], TextFunction]:
    """Register a function that judges a text."""

    def enter(function: TextFunction) -> TextFunction:
        TEXT_RULES.append(TextScanRule(finding.FindingRule(rule_id, level, sentence), function))
        return function

    return enter


def tool_rule(rule_id: str, level: finding.Level, sentence: str) -> Callable[[ToolFunction], ToolFunction]:
    """Register a function that judges a tool."""

    def enter(function: ToolFunction) -> ToolFunction:
        TOOL_RULES.append(ToolScanRule(finding.FindingRule(rule_id, level, sentence), function))
        return function

    return enter


def catalog_rule(
    rule_id: str, level: finding.Level, sentence: str
) -> Callable[[CatalogFunction], CatalogFunction]:
    """Register a function that judges all servers."""

    def enter(function: CatalogFunction) -> CatalogFunction:
        CATALOG_RULES.append(CatalogScanRule(finding.FindingRule(rule_id, level, sentence), function))
        return function

    return enter
