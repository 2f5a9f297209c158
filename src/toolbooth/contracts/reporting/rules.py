"""Entries → the rules that they come from, each with a sentence that stands for itself."""

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from toolbooth.contracts.reporting.entry import LEVEL_WEIGHTS, SEVERITY_WEIGHTS, Entry, Weight

_BLANKS: Final = ("what", "keyword", "detail", "before", "after", "tool")


class RuleRow(NamedTuple):
    """`weight` is the worst that the rule gives, `kind` the table it stands in."""

    id: str
    weight: Weight
    sentence: str
    kind: str


def rules_of(entries: Iterable[Entry]) -> list[RuleRow]:
    """Each rule that gave an entry, once, in the order of their names."""
    found: dict[str, RuleRow] = {}
    known: dict[bool, dict[str, RuleRow]] = {}
    for entry in entries:
        table = known.setdefault(entry.is_change, {})
        if not table:
            table.update((row.id, row) for row in (_of_diff() if entry.is_change else _of_findings()))
        unknown = RuleRow(entry.rule, entry.weight, entry.message, "other")
        found.setdefault(entry.rule, table.get(entry.rule, unknown))
    return [found[rule] for rule in sorted(found)]


def _of_diff() -> Iterator[RuleRow]:
    from toolbooth.contracts.diff.rules import RULES

    for rule in RULES.values():
        sentence = rule.sentence.format_map(dict.fromkeys(_BLANKS, "…"))
        yield RuleRow(rule.id, SEVERITY_WEIGHTS[rule.severity], sentence, "contract")


def _of_findings() -> Iterator[RuleRow]:
    from toolbooth.contracts.lint import lint_rules
    from toolbooth.contracts.scan import scan_rules

    for kind, rules in (("quality", lint_rules()), ("security", scan_rules())):
        for rule in rules:
            yield RuleRow(rule.id, LEVEL_WEIGHTS[rule.level], rule.sentence, kind)
    from toolbooth.economics import RULES

    for each in RULES:
        yield RuleRow(each.id, "warning", each.message.format(tool="…"), "cost")
