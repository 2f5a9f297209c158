"""The steps of `toolbooth lock`: write a lock, check live contracts against it, or accept their changes."""

from argparse import Namespace
from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from toolbooth import contracts, errors, figures
from toolbooth.cli.lock.words import (
    LockVerdict,
    few,
    found_words,
    incomplete,
    last_accepted,
    lock_name,
    missing,
    not_accepted,
    over_budget,
    report,
    size,
    who,
)
from toolbooth.cli.sources import LiveContracts
from toolbooth.contracts.diff import diff_contracts
from toolbooth.contracts.reporting import severity_words

_ACCEPT = 'run it again with --accept --reason "why" to accept everything, or with --accept TOOL to accept some of it'
_RAISE = "reduce what the servers offer, or raise the budget with --budget WHAT=N"


def write_first(live: LiveContracts, options: Namespace) -> int:
    """Write the first lock, unless a server is missing or a budget is exceeded."""
    _refuse_holes(live, options)
    lock = contracts.Lock(live.contracts, contracts.with_limits(contracts.Budgets(), options.budget))
    diff = _diff(lock.contracts, lock.contracts, lock.budgets)
    findings = contracts.changed_findings(contracts.Contracts({}, lock.contracts.encoding), lock.contracts)
    refused = contracts.unaccepted(findings, options.accept_findings)
    if diff.changes:
        verdict = LockVerdict(1, f"{lock_name(options)} is not written: over budget", _RAISE)
    elif refused:
        verdict = not_accepted(refused, f"{lock_name(options)} is not written")
    elif not lock.contracts.servers:
        raise errors.CannotCheck(
            f"{options.file} is not written: no server answered; start one and try again"
        )
    else:
        signer = _write(lock, options)
        verdict = LockVerdict(0, f"{lock_name(options)} is written: {size(lock.contracts)}{signer}")
    return report(verdict, diff, live, options, findings=findings)


def check(lock: contracts.Lock, live: LiveContracts, options: Namespace) -> int:
    """Compare, and judge by --fail-on."""
    now = live.as_far_as_known(lock.contracts)
    diff = _diff(lock.contracts, now, contracts.with_limits(lock.budgets, options.budget))
    findings = contracts.changed_findings(lock.contracts, now)
    least = contracts.Severity[(options.fail_on or "risky").upper()]
    name = lock_name(options)
    if live.source_errors:
        verdict = LockVerdict(live.failure_code, f"{name} could not be checked: {missing(live)}")
    elif diff.at_least(least) or contracts.unaccepted(findings, ()):
        said = ", ".join(filter(None, (severity_words(diff), found_words(findings))))
        verdict = LockVerdict(1, f"{name} does not match: {said}", _hint(lock.contracts, now, findings))
    elif diff.changes:
        verdict = LockVerdict(
            0, f"{name} matches, except for {severity_words(diff)}", _hint(lock.contracts, now)
        )
    else:
        verdict = LockVerdict(0, f"{name} matches: {size(now)}")
    notation = _notation_only(lock.contracts, now, diff)
    held_back = _not_as_locked(lock.contracts, now) if options.enforced else []
    live = replace(live, notes=(*last_accepted(lock, now), *live.notes))
    return report(verdict, diff, live, options, notation, lock.contracts, held_back, findings)


def accept_changes(lock: contracts.Lock, live: LiveContracts, options: Namespace) -> int:
    """Accept the named changes, or all of them."""
    if live.source_errors and not options.accept:
        raise incomplete(live, f"nothing is accepted: {missing(live)}; name the tools to accept")
    _refuse_down(live, lock.contracts, options.accept)
    _refuse_unsigned(lock, options)
    now = live.as_far_as_known(lock.contracts)
    after = contracts.accept(lock, now, options.accept, options.reason.strip(), who(options), _now())
    after = replace(after, budgets=contracts.with_limits(lock.budgets, options.budget))
    taken = contracts.changed_things(lock.contracts, after.contracts)
    findings = contracts.changed_findings(lock.contracts, after.contracts)
    refused = contracts.unaccepted(findings, options.accept_findings)
    passed = _diff(after.contracts, after.contracts, after.budgets).changes
    if passed:
        live = replace(live, notes=(over_budget(passed), *live.notes))
    if not taken and after.budgets == lock.budgets:
        verdict = LockVerdict(0, f"{lock_name(options)} matches: nothing to accept")
        return report(verdict, contracts.Diff(), live, options)
    diff = _diff(lock.contracts, after.contracts, None)
    if refused:
        verdict = not_accepted(refused, f"{lock_name(options)} is unchanged")
        return report(verdict, diff, live, options, findings=findings)
    signer = _write(after.with_findings(findings), options)
    changes = figures.counted(len(taken), "change")
    verdict = LockVerdict(0, f"{lock_name(options)}: {changes} accepted: {few(taken)}{_by(options)}{signer}")
    return report(
        verdict, diff, live, options, _notation_only(lock.contracts, after.contracts, diff), findings=findings
    )


def write_if_same(lock: contracts.Lock, live: LiveContracts, options: Namespace) -> int:
    """Budgets and signatures are written; changes of servers only by --accept."""
    _refuse_holes(live, options)
    after = replace(lock, budgets=contracts.with_limits(lock.budgets, options.budget))
    now = live.as_far_as_known(lock.contracts)
    diff = _diff(lock.contracts, now, after.budgets)
    notation = _notation_only(lock.contracts, now, diff)
    findings = contracts.changed_findings(lock.contracts, now)
    if diff.changes or notation:
        changed = severity_words(diff) or f"{len(notation):,} in notation only"
        said = ", ".join(filter(None, (changed, found_words(findings))))
        hint = _hint(lock.contracts, now, findings)
        verdict = LockVerdict(1, f"{lock_name(options)} is unchanged: {said}", hint)
    elif after == lock and not options.sign:
        verdict = LockVerdict(0, f"{lock_name(options)} matches: {size(lock.contracts)}")
    else:
        _refuse_unsigned(lock, options)
        signer = _write(replace(after, signature=None), options)
        verdict = LockVerdict(0, f"{lock_name(options)} is written: {size(lock.contracts)}{signer}")
    return report(verdict, diff, live, options, notation, lock.contracts, findings=findings)


def _diff(
    before: contracts.Contracts, after: contracts.Contracts, budgets: contracts.Budgets | None
) -> contracts.Diff:
    return diff_contracts(before, after, budgets)


def _hint(
    before: contracts.Contracts, after: contracts.Contracts, findings: Sequence[contracts.Finding] = ()
) -> str:
    """What to do next: an exceeded budget cannot be accepted, and a high finding only by name."""
    if not contracts.changed_things(before, after):
        return _RAISE
    return f"{_ACCEPT}; a high finding also needs --accept-findings" if found_words(findings) else _ACCEPT


def _notation_only(
    before: contracts.Contracts, after: contracts.Contracts, diff: contracts.Diff
) -> list[str]:
    """What has another digest but no meaningful change; it must be accepted, too."""
    reported = {change.where for change in diff.changes}
    known = [{*each.servers, *each.tools()} for each in (before, after)]
    return [
        what
        for what in contracts.changed_things(before, after)
        if what in known[0] & known[1] and what not in reported
    ]


def _not_as_locked(before: contracts.Contracts, after: contracts.Contracts) -> list[str]:
    """Tools that a gateway holds back: it approves by digest, so new and changed tools are not approved."""
    offered = after.tools()
    return [what for what in contracts.changed_things(before, after) if what in offered]


def _write(lock: contracts.Lock, options: Namespace) -> str:
    """Write the lock; returns who signed it, in words."""
    if not options.sign:
        contracts.write_lock(lock, options.file)
        return ""

    contracts.write_lock(contracts.signed(lock, options.sign), options.file)
    return f", signed by {contracts.fingerprint(options.sign.public_key())}"


def _by(options: Namespace) -> str:
    return f", by {who(options)}"


def _now() -> str:
    """When something is accepted, in UTC: seconds are enough for a person."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _refuse_holes(live: LiveContracts, options: Namespace) -> None:
    if live.source_errors:
        raise incomplete(live, f"{options.file} is not written: {missing(live)}")


def _refuse_down(live: LiveContracts, locked: contracts.Contracts, names: Collection[str]) -> None:
    unheard = locked.servers.keys() - live.contracts.servers.keys() if live.source_errors else set()
    down = {*unheard, *live.missing, *(source_error.where for source_error in live.source_errors)}
    for server in (name.partition(".")[0] for name in names):
        if server in down:
            raise errors.CannotCheck(f"{server} could not be reached, so its changes cannot be accepted")


def _refuse_unsigned(lock: contracts.Lock, options: Namespace) -> None:
    if lock.signature is not None and not options.sign:
        raise errors.UserMistake(f"{options.file} is signed; add --sign KEY to sign it again")
