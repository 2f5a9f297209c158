"""Contracts before × after → what the scan says of every text that is new or changed, and which of it was accepted."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from typing import Any, Final

from toolbooth.contracts.accepting import changed_things
from toolbooth.contracts.contract import Contracts, ServerContract
from toolbooth.contracts.finding import Finding, Level
from toolbooth.errors import UserMistake

LEAST: Final = Level.MEDIUM  # lesser ones are manners: they would bury what matters
_GONE: Final = object()


def changed_findings(before: Contracts, after: Contracts) -> tuple[Finding, ...]:
    """The worst first. A text that stayed as it was is not judged again: it was agreed to."""
    from toolbooth.contracts.scan import scan
    from toolbooth.contracts.scan.rule import WHOLE_RULES

    things = changed_things(before, after)
    if not things:
        return ()
    old = {_key(finding) for finding in scan(_only(before, things))}
    beside = scan(
        after, {entry.rule.id for entry in WHOLE_RULES}
    )  # names are judged beside those of every other server
    found = {_key(each): each for each in (*scan(_only(after, things)), *beside) if each.where in things}
    return tuple(
        finding
        for finding in sorted(found.values(), key=_order)
        if finding.level >= LEAST and (_key(finding) not in old or _differs(finding, before, after))
    )


def _key(finding: Finding) -> tuple[str, str, str, str, int]:
    return finding.rule, finding.server, finding.tool, finding.path, finding.level


def _order(finding: Finding) -> tuple[int, str, str, str, str]:
    return -finding.level, finding.server, finding.tool, finding.path, finding.rule


def _only(contracts: Contracts, things: Mapping[str, str]) -> Contracts:
    """Only the tools, and the servers' own words, that are others on the two sides."""
    kept = {name: _part(server, things) for name, server in contracts.servers.items()}
    return replace(contracts, servers=kept)


def _part(server: ServerContract, things: Mapping[str, str]) -> ServerContract:
    tools = {name: tool for name, tool in server.tools.items() if tool.id in things}
    if server.server in things:
        return replace(server, tools=tools)
    return ServerContract(server.server, tools)


def _differs(finding: Finding, before: Contracts, after: Contracts) -> bool:
    old, new = (_at(finding, side.servers.get(finding.server)) for side in (before, after))
    return old is _GONE or bool(old != new)


def _at(finding: Finding, server: ServerContract | None) -> Any:
    """What stands at the finding's place; a pointer that leads nowhere counts as changed."""
    if server is None or (finding.tool and finding.tool not in server.tools):
        return _GONE
    value: Any = server.tools[finding.tool].wire if finding.tool else vars(server)
    for step in finding.path.split("/")[1:]:
        key = step.replace("~1", "/").replace("~0", "~")
        if isinstance(value, Mapping) and key in value:
            value = value[key]
        elif isinstance(value, list | tuple) and key.isdecimal() and int(key) < len(value):
            value = value[int(key)]
        else:
            return _GONE
    return value


def unaccepted(findings: Iterable[Finding], named: Sequence[str]) -> list[Finding]:
    """The high ones that nobody named; raises UserMistake for a name that no finding has.

    A name is a rule, or `RULE:SERVER.TOOL`, as `scan --ignore` takes it.
    """
    high = [finding for finding in findings if finding.level is Level.HIGH]
    for name in named:
        if not any(is_named(finding, name) for finding in high):
            known = sorted({name_of(finding) for finding in high} | {finding.rule for finding in high})
            near = get_close_matches(name, known, n=1, cutoff=0.3)
            hint = f"; did you mean {near[0]}?" if near else ": leave it out"
            raise UserMistake(
                f"--accept-findings {name}: nothing high of that name is in the changed texts{hint}"
            )
    return [finding for finding in high if not any(is_named(finding, name) for name in named)]


def is_named(finding: Finding, name: str) -> bool:
    """Whether a name of `--accept-findings` means this finding."""
    rule, _, where = name.partition(":")
    return rule == finding.rule and where in ("", finding.server, finding.where)


def name_of(finding: Finding) -> str:
    """The name that means this finding and no other tool's."""
    return f"{finding.rule}:{finding.where}"
