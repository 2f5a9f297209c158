"""What was typed × `contracts:` of the configs → the lock that is meant, and whose signature it needs."""

import os
from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from toolbooth.errors import UserMistake

if TYPE_CHECKING:
    from toolbooth.catalog.config import Enforcement
    from toolbooth.contracts import Lock

VERIFY_VARIABLE: Final = "TOOLBOOTH_VERIFY_KEY"
LOCK_FILE: Final = Path("toolbooth.lock")


def settle(options: Namespace, enforcements: "tuple[Enforcement, ...]") -> None:
    """Fill in `file`, `trusted` (a key), `wants_key` and `enforced`; what was typed wins.

    `wants_key` is the key that the config trusts, where none was typed; `enforced` says that a gateway keeps to
    this very lock.
    """
    if options.file is None:
        lock = _only({_plain(each.lock) for each in enforcements}, "locks", "--file LOCK")
        options.file = _from_here(Path(lock)) if lock else LOCK_FILE
    options.trusted, options.wants_key = _typed_key(options), None
    if not options.trusted:
        keys = {_plain(each.verify_key) for each in enforcements}
        options.wants_key = _only(keys, "keys that verify", "--verify-key KEY")
        options.trusted = options.wants_key or ""
    if options.require_signature and not options.trusted:
        raise UserMistake(
            f"--require-signature needs to know whose: --verify-key FILE, or the key in {VERIFY_VARIABLE}"
        )
    this = _plain(str(options.file))
    options.enforced = any(each.mode == "enforce" and _plain(each.lock) == this for each in enforcements)


def refuse_other_signer(options: Namespace, lock: "Lock | None") -> None:
    """A gateway would not read what is written without the key that its config trusts."""
    if not options.wants_key or options.check:
        return
    if not options.sign:
        if lock is None:
            raise UserMistake(
                f"the config trusts only a lock signed for {options.wants_key}: give --sign KEY"
            )
        return
    from toolbooth.contracts.signing import fingerprint, public_key

    wanted, given = (fingerprint(each) for each in (public_key(options.wants_key), options.sign.public_key()))
    if wanted != given:
        raise UserMistake(f"the config trusts the key {wanted}, and --sign has {given}")


def _only(values: set[str | None], what: str, option: str) -> str | None:
    if len(values) > 1:
        named = " and ".join(sorted(value or "none" for value in values))
        raise UserMistake(
            f"the configs name different {what} ({named}); name one config, or choose with {option}"
        )
    return next(iter(values), None)


def _plain(written: str | None) -> str | None:
    """One folder has one spelling; a link in the place of the file itself stays what it is."""
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
