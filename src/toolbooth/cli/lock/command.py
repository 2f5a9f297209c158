"""`toolbooth lock`: record what servers offer, detect changes, and accept them with a reason."""

import os
from argparse import Namespace
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from toolbooth import catalog, contracts, errors, safetext, tokens
from toolbooth.catalog.config import Enforcement
from toolbooth.cli import arguments, contract_output, terminal
from toolbooth.cli.lock.steps import accept_changes, check, write_first, write_if_same
from toolbooth.cli.sources import LiveContracts, ask_sources, named_sources, only_servers

VERIFY_VARIABLE: Final = "TOOLBOOTH_VERIFY_KEY"
LOCK_FILE: Final = Path("toolbooth.lock")


EXAMPLES = """\
  toolbooth lock .mcp.json                           write toolbooth.lock: what the servers offer now
  toolbooth lock .mcp.json --check                   in CI: exit 1 if a change is risky or breaking
  toolbooth lock .mcp.json --check --fail-on breaking
  toolbooth lock .mcp.json --check --format github --report sarif:toolbooth.sarif --report markdown:summary.md
  toolbooth lock .mcp.json --accept --reason "reviewed release 2.1"
  toolbooth lock .mcp.json --accept github.create_issue --reason "new field only"
  toolbooth lock .mcp.json --accept mail.send --reason "read it" --accept-findings sensitive-file:mail.send
  toolbooth lock .mcp.json --check --allow-missing   skip servers that are down; --server NAME asks only that one
  toolbooth lock .mcp.json --budget total=8000 --budget tool=300 --budget growth=10%
  toolbooth lock --new-key lock.key                  a key pair: lock.key signs, lock.key.pub verifies
  toolbooth lock .mcp.json --sign lock.key
  toolbooth lock .mcp.json --check --verify-key lock.key.pub
  toolbooth lock --file time.lock -- uvx mcp-server-time
"""
EXITS = {
    0: "the lock matches, or differs by less than --fail-on",
    1: "it does not match, or a changed text has a high finding",
    2: "wrong usage or a broken file: no lock, a broken one, a wrong signature",
    3: "no check: nothing could be reached, or a server is down",
    5: f"{arguments.UNTRUSTED}, or the lock was not written because of a high finding that "
    "--accept-findings does not name",
}


def parser() -> arguments.Parser:
    """The options of the command."""
    made = arguments.Parser("lock", __doc__ or "", EXAMPLES, EXITS)
    add = made.add_argument
    add("source", nargs="*", help="config files, URLs, saved catalogs (default: known places)")
    add(
        "--file",
        type=Path,
        metavar="LOCK",
        help="the lock (default: the one in the config's `contracts:`, or toolbooth.lock)",
    )
    add("--check", action="store_true", help="compare without writing; the exit code is the result")
    add(
        "--fail-on",
        choices=[each.name.lower() for each in sorted(contracts.Severity, reverse=True)],
        help="with --check: lowest severity that exits 1 (default risky)",
    )
    _add_accepting(made)
    add("--server", action="append", default=[], metavar="NAME", help="only this server; can be repeated")
    add(
        "--allow-missing",
        action="store_true",
        help="keep the locked state of servers that are down or lack an environment variable",
    )
    add(
        "--budget",
        action="append",
        default=[],
        metavar="WHAT=N",
        help="total=N, server:NAME=N, tool:SERVER.TOOL=N, answer:SERVER.TOOL=N, growth=P%% or N; `off` removes one",
    )
    add("--encoding", metavar="NAME", help="encoding for token counts in a new lock (default cl100k_base)")
    add("--sign", metavar="KEY", help="sign the lock with this private key in PEM: a file or env:NAME")
    add("--verify-key", metavar="KEY", help="refuse a lock not signed by this public key: a file or env:NAME")
    add(
        "--require-signature",
        action="store_true",
        help=f"refuse an unsigned lock; without --verify-key, the key is in {VERIFY_VARIABLE}",
    )
    add(
        "--new-key",
        type=Path,
        metavar="FILE",
        help="create a key pair, FILE and FILE.pub, and do nothing else",
    )
    add("--timeout", type=arguments.seconds, metavar="S", help="seconds for each server (default 60)")
    arguments.add_project(add)
    contract_output.add_output(made)
    made.takes_command()
    return made


def _add_accepting(made: arguments.Parser) -> None:
    add = made.add_argument
    add(
        "--accept",
        nargs="*",
        metavar="TOOL",
        help="accept changes of the named tools or servers, or all changes; needs --reason",
    )
    add("--reason", metavar="TEXT", help="why; stored in the lock with the date and your name")
    add("--by", metavar="NAME", help="who accepts; stored in the lock (default: the login name)")
    add(
        "--accept-findings",
        action="append",
        default=[],
        metavar="RULE[:SERVER.TOOL]",
        help="accept this scan finding; otherwise a high finding exits 5",
    )


def run(words: Sequence[str]) -> int:
    """Write, check or accept."""
    typed = arguments.split_command_line(words)
    options = parser().parse_args(typed.options)
    _refuse_contradictions(options)
    if options.new_key:
        return _make_key(options.new_key)
    if options.sign:
        options.sign = contracts.private_key(options.sign)

    sources = _find(options, typed.command)
    resolve_lock(options, sources.enforcements)
    lock = _read(options)
    _refuse_none(lock, options)
    refuse_other_signer(options, lock)
    live = _ask(options, sources, lock)
    if lock is None:
        return write_first(live, options)
    if options.check:
        return check(lock, live, options)
    if options.accept is not None:
        return accept_changes(lock, live, options)
    return write_if_same(lock, live, options)


def _refuse_contradictions(options: Namespace) -> None:
    contract_output.check_output(options)
    accepting = options.accept is not None
    if options.check and (accepting or options.sign):
        raise errors.UserMistake("--check writes nothing; leave out --accept and --sign")
    if accepting and not (options.reason or "").strip():
        raise errors.UserMistake('--accept needs a reason, which is stored in the lock; add --reason "why"')
    if options.reason is not None and not accepting:
        raise errors.UserMistake("--reason needs --accept")
    if options.by is not None and (not accepting or not options.by.strip()):
        raise errors.UserMistake("--by needs --accept and a name")
    if options.accept_findings and options.check:
        raise errors.UserMistake("--check accepts nothing; leave out --accept-findings")
    for name in options.accept or ():
        if Path(name).is_file() or "://" in name:
            raise errors.UserMistake(
                f"{name} is not a tool; write configs before --accept, and tools as server.tool after it"
            )
    if options.fail_on and not options.check:
        raise errors.UserMistake("--fail-on needs --check")


def _make_key(path: Path) -> int:
    public = contracts.new_key(path)
    shown, shown_public = (safetext.for_terminal(str(each)) for each in (path, public))
    terminal.out().print(f"key {contracts.fingerprint(contracts.public_key(str(public)))}")
    terminal.out().print(f"  {shown}  signs; keep it secret, and do not commit it")
    terminal.out().print(f"  {shown_public}  verifies; commit it, and use --verify-key {shown_public}")
    return 0


def _find(options: Namespace, command: Sequence[str]) -> catalog.Sources:
    """Find the servers. If neither servers nor a lock exist, report the missing lock, which is easier to fix."""
    try:
        return named_sources(
            options.source, command, None, user_only=options.user_only, trust_project=options.trust_project
        )
    except errors.NothingToWeigh:
        resolve_lock(options, ())
        _refuse_none(_read(options), options)
        raise


def _refuse_none(lock: contracts.Lock | None, options: Namespace) -> None:
    if lock is None and (options.check or options.accept is not None):
        raise errors.UserMistake(f"no lock {options.file}; `toolbooth lock` without --check writes one")


def _read(options: Namespace) -> contracts.Lock | None:
    path, trusted = options.file, options.trusted
    if not path.exists() and not path.is_symlink():
        return None
    lock = contracts.read_lock(path)
    if lock.signature is None and options.sign and trusted == options.wants_key:
        return lock  # the key's owner may sign a lock that is older than the config's key
    if lock.signature is not None or trusted:
        contracts.verify(lock, path, contracts.public_key(trusted) if trusted else None)
    if options.encoding and options.encoding != lock.contracts.encoding:
        raise errors.ConfigError(
            f"this lock counts tokens in {lock.contracts.encoding}; leave out --encoding, or write a new lock",
            path,
        )
    return lock


def _ask(options: Namespace, sources: catalog.Sources, lock: contracts.Lock | None) -> LiveContracts:
    encoding = (
        lock.contracts.encoding
        if lock
        else tokens.check_encoding(options.encoding or tokens.DEFAULT_ENCODING)
    )
    if options.server:
        sources = only_servers(sources, options.server)
    live = ask_sources(sources, options.timeout, encoding)
    for source_error in live.source_errors:
        terminal.complain(source_error.where, source_error.reason)
    if options.server:
        live = replace(live, asked=frozenset(options.server))
    if options.allow_missing:
        live = live.allowing_missing(lock.contracts if lock else None)
    if lock is None and not live.contracts.servers and not live.source_errors and not live.missing:
        raise errors.CannotCheck("nothing to lock: no server is configured there")
    if live.has_only_empty_catalogs:
        raise errors.CannotCheck("nothing to lock: no tool is offered there")
    notes = list(live.notes)
    if lock and lock.signature is None and options.wants_key:
        notes.append("the lock was not signed until now, so anybody may have edited it")
    return replace(live, notes=tuple(dict.fromkeys(notes)))


def resolve_lock(options: Namespace, enforcements: tuple[Enforcement, ...]) -> None:
    """Fill in `file`, `trusted` (a key), `wants_key` and `enforced`; options on the command line take precedence.

    `wants_key` is the key that the config trusts, where none was typed; `enforced` is true if a gateway enforces
    this lock.
    """
    if options.file is None:
        lock = _only({_plain(each.lock) for each in enforcements}, "locks", "--file LOCK")
        options.file = _from_here(Path(lock)) if lock else LOCK_FILE
    options.trusted, options.wants_key = _typed_key(options), None
    if not options.trusted:
        keys = {_plain(each.verify_key) for each in enforcements}
        options.wants_key = _only(keys, "verify keys", "--verify-key KEY")
        options.trusted = options.wants_key or ""
    if options.require_signature and not options.trusted:
        raise errors.UserMistake(
            f"--require-signature needs a public key; use --verify-key FILE or set {VERIFY_VARIABLE}"
        )
    this = _plain(str(options.file))
    options.enforced = any(each.mode == "enforce" and _plain(each.lock) == this for each in enforcements)


def refuse_other_signer(options: Namespace, lock: contracts.Lock | None) -> None:
    """Refuse to write a lock that a gateway would reject because its config trusts another key."""
    if not options.wants_key or options.check:
        return
    if not options.sign:
        if lock is None:
            raise errors.UserMistake(
                f"the config trusts only a lock signed for {options.wants_key}; add --sign KEY"
            )
        return

    wanted, given = (
        contracts.fingerprint(each)
        for each in (contracts.public_key(options.wants_key), options.sign.public_key())
    )
    if wanted != given:
        raise errors.UserMistake(
            f"the config trusts the key {wanted}, but --sign has {given}; sign with the trusted key"
        )


def _only(values: set[str | None], what: str, option: str) -> str | None:
    if len(values) > 1:
        named = " and ".join(sorted(value or "none" for value in values))
        raise errors.UserMistake(
            f"the configs name different {what} ({named}); name one config, or choose with {option}"
        )
    return next(iter(values), None)


def _plain(written: str | None) -> str | None:
    """The path with its folder resolved; a symlink in place of the file itself is kept."""
    if written is None or written.startswith("env:"):
        return written
    return str(Path(written).parent.resolve() / Path(written).name)


def _from_here(path: Path) -> Path:
    here = Path.cwd()
    return path.relative_to(here) if path.is_relative_to(here) else path


def _typed_key(options: Namespace) -> str:
    if options.verify_key or not options.require_signature:
        return options.verify_key or ""
    return f"env:{VERIFY_VARIABLE}" if os.environ.get(VERIFY_VARIABLE, "").strip() else ""
