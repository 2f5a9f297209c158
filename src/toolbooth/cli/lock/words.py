"""The outcome of a lock command: the changes, one sentence, and what to do next."""

import shlex
from argparse import Namespace
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from toolbooth import errors, figures, safetext
from toolbooth.cli import contract_output, sources
from toolbooth.contracts import Change, Contracts, Diff, Finding, Level, Lock, changed_things, name_of
from toolbooth.contracts.reporting import ContractReport, lock_locations, tokens_moved

_FEW = 4
_NAME = 100  # characters of a tool in a command: a cut name accepts nothing


@dataclass(frozen=True)
class LockVerdict:
    """`code` is the exit code, `hint` what to do next."""

    code: int
    sentence: str
    hint: str = ""


def report(
    verdict: LockVerdict,
    diff: Diff,
    live: sources.LiveContracts,
    options: Namespace,
    notation: Sequence[str] = (),
    before: Contracts | None = None,
    held_back: Sequence[str] = (),
    findings: tuple[Finding, ...] = (),
) -> int:
    """Report the outcome and return the exit code.

    `notation` are things that differ in notation only, `held_back` are tools that a gateway does not offer yet.
    """
    written = f"{len(notation):,} written differently, with the same meaning: {few(notation)}"
    made = ContractReport(
        f"toolbooth lock{' --check' if options.check else ''}",
        diff,
        findings,
        verdict=verdict.sentence,
        exit_code=verdict.code,
        hint=verdict.hint,
        source_errors=tuple((source_error.where, source_error.reason) for source_error in live.source_errors),
        notes=(
            *((written,) if notation else ()),
            *((_held_back(held_back, options),) if held_back else ()),
            *live.notes,
        ),
        tokens=tokens_moved(before, live.as_far_as_known(before)) if before else (),
        locations=lock_locations(options.file, contract_output.repository()),
        more={"lock": str(options.file), "notation_only": list(notation), "held_back": list(held_back)},
    )
    return contract_output.deliver(made, options)


def lock_name(options: Namespace) -> str:
    """The lock as the user called it."""
    return safetext.for_terminal(str(options.file), 120)


def size(contracts: Contracts) -> str:
    """2 servers, 14 tools, 2,310 tokens."""
    tools = contracts.tools()
    counts = ((len(contracts.servers), "server"), (len(tools), "tool"))
    words = [figures.counted(count, noun) for count, noun in counts]
    return f"{', '.join(words)}, {sum(tool.tokens for tool in tools.values()):,} tokens"


def few(names: Collection[str]) -> str:
    """The first of them, and how many more there are."""
    shown = [safetext.for_terminal(name, 60) for name in list(names)[:_FEW]]
    return ", ".join(shown) + (f" and {len(names) - _FEW:,} more" if len(names) > _FEW else "")


def found_words(findings: Sequence[Finding]) -> str:
    """`1 high finding in changed texts`; empty if there are none."""
    high = sum(finding.level is Level.HIGH for finding in findings)
    return f"{figures.counted(high, 'high finding')} in changed texts" if high else ""


def not_accepted(refused: Sequence[Finding], left: str) -> LockVerdict:
    """The findings that a person must accept, as options to paste. The names come from a server, so they are quoted."""
    names = list(dict.fromkeys(shlex.quote(_as_named(name_of(each))) for each in refused))
    flags = " ".join(f"--accept-findings {name}" for name in names[:_FEW])
    more = f" and {len(names) - _FEW:,} more" if len(names) > _FEW else ""
    hint = f"read the text; if it is harmless, accept the findings: {flags}{more}"
    return LockVerdict(errors.Refused.exit_code, f"{left}: {found_words(refused)}", hint)


def last_accepted(lock: Lock, now: Contracts) -> list[str]:
    """The last acceptances of what has changed since: who and why."""
    changed = changed_things(lock.contracts, now)
    return [str(each) for each in lock.accepted if each.what in changed][:_FEW]


def who(options: Namespace) -> str:
    """`--by`, else the login name: never a name that the user cannot see."""
    import getpass

    try:
        name = options.by or getpass.getuser()
    except (KeyError, OSError):  # a container without an entry for its user
        name = "unknown"
    return safetext.for_terminal(name.strip(), _NAME)


def over_budget(changes: Sequence[Change]) -> str:
    """A note that a budget is still exceeded after accepting."""
    lines = [f"{change.where}: {change.message}" if change.where else change.message for change in changes]
    more = f" and {len(lines) - _FEW:,} more" if len(lines) > _FEW else ""
    return f"still over budget: {'; '.join(lines[:_FEW])}{more}"


def _held_back(tools: Sequence[str], options: Namespace) -> str:
    """The names come from a server: they are quoted, so that the pasted command runs nothing else."""
    named = [_as_named(tool) for tool in tools] if len(tools) <= _FEW else []
    whose = [
        *(["--user-only"] if options.user_only else []),
        *(["--trust-project"] if options.trust_project else []),
    ]
    words = [*options.source, *whose, "--accept", *named]
    sign = " --sign KEY" if options.trusted else ""
    command = f'toolbooth lock {shlex.join(words)} --reason "why"{sign}'
    return f"the gateway holds back {few(tools)} until accepted: {command}"


def _as_named(name: str) -> str:
    """A name in a command: with its hidden characters spelled out, so that it is never the name of another tool."""
    return safetext.for_terminal(safetext.whole_text(name), _NAME)


def missing(live: sources.LiveContracts) -> str:
    """The files that could not be read, and the servers that could not be asked."""
    return sources.missing_words(live.source_errors, live.wrong_files)


def incomplete(live: sources.LiveContracts, said: str) -> errors.ToolboothError:
    """The error of a step that needs every source."""
    return errors.UserMistake(said) if live.wrong_files else errors.CannotCheck(said)
