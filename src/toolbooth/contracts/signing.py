"""Ed25519 signatures of locks: making keys, signing, and verifying.

The signature is over the lock's digest, which covers the whole lock. Keys are PEM, in a file or in an environment
variable (`env:NAME`), and no message repeats one. Needs the extra `signing`; only a signed lock imports this module.
"""

import base64
import binascii
import hashlib
import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Final

from toolbooth import errors, files, limits, suggest
from toolbooth.catalog.config import read_regular
from toolbooth.contracts.lock import Lock, Signature
from toolbooth.contracts.toolbooth_lock import lock_digest

try:
    from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
    from cryptography.hazmat.primitives.serialization import (
        Encoding,
        NoEncryption,
        PrivateFormat,
        PublicFormat,
        load_pem_private_key,
        load_pem_public_key,
    )
except ImportError as missing:
    raise errors.UserMistake(
        f"signed locks need cryptography: {suggest.install_extra('signing')}"
    ) from missing

__all__ = ["fingerprint", "new_key", "private_key", "public_key", "signed", "verify"]
ALGORITHM: Final = "ed25519"
_HEAD: Final = b"toolbooth-lock 1\n"  # so that the signature of a lock is valid for nothing else
_VARIABLE: Final = "env:"
_HOW: Final = "`toolbooth lock --new-key FILE` makes a pair of keys"


def signed(lock: Lock, key: Ed25519PrivateKey) -> Lock:
    """Sign the lock with this key, replacing any other signature."""
    value = key.sign(_HEAD + lock_digest(lock).encode())
    return replace(lock, signature=Signature(_text(_raw(key.public_key())), _text(value), ALGORITHM))


def verify(lock: Lock, path: Path, trusted: Ed25519PublicKey | None) -> None:
    """Refuse a lock that the trusted key did not sign. Without a trusted key, refuse only an invalid signature."""
    signature = lock.signature
    if signature is None:
        if trusted is not None:
            raise errors.ConfigError(
                "is not signed, and a signature is required; run `toolbooth lock --sign KEY`", path
            )
        return
    try:
        key = _bytes(signature.key)
        Ed25519PublicKey.from_public_bytes(key).verify(
            _bytes(signature.value), _HEAD + lock_digest(lock).encode()
        )
    except (InvalidSignature, ValueError):
        raise errors.ConfigError(
            "has an invalid signature: the lock or the signature was edited after signing", path
        ) from None
    if signature.algorithm != ALGORITHM:
        raise errors.ConfigError("has an edited signature section: its algorithm is unknown", path)
    if trusted is not None and key != _raw(trusted):
        raise errors.ConfigError(
            f"is signed by the key {_short(key)}, but the key {fingerprint(trusted)} is required",
            path,
        )


def private_key(source: str, environ: Mapping[str, str] | None = None) -> Ed25519PrivateKey:
    """Read a private key from a PEM file or `env:NAME`."""
    data = _pem(source, environ)
    try:
        key = load_pem_private_key(data, None)
    except (ValueError, TypeError, UnsupportedAlgorithm):  # TypeError: the key is encrypted
        raise _no_key(source, "is not an unencrypted private key in PEM") from None
    if not isinstance(key, Ed25519PrivateKey):
        raise _no_key(source, "is a private key, but not an Ed25519 key")
    return key


def public_key(source: str, environ: Mapping[str, str] | None = None) -> Ed25519PublicKey:
    """Read a public key from a PEM file or `env:NAME`. A private key is refused: checking does not need it."""
    data = _pem(source, environ)
    if b"PRIVATE KEY" in data:
        raise errors.UserMistake(f"{source} is a private key; give the public key, FILE.pub")
    try:
        key = load_pem_public_key(data)
    except (ValueError, UnsupportedAlgorithm):
        raise _no_key(source, "is not a public key in PEM") from None
    if not isinstance(key, Ed25519PublicKey):
        raise _no_key(source, "is a public key, but not an Ed25519 key")
    return key


def new_key(path: Path) -> Path:
    """Write a private key that only its owner can read, and beside it the public key, whose path is returned."""
    public = path.with_name(f"{path.name}.pub")
    for file in (path, public):
        if file.exists():
            raise errors.UserMistake(
                f"{file} already exists, and keys are never overwritten; name another file"
            )
    key = Ed25519PrivateKey.generate()
    private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    files.write_new(path, private)
    try:
        files.write_new(
            public, key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo), 0o644
        )
    except errors.ConfigError:
        with suppress(OSError):
            path.unlink()
        raise
    return public


def fingerprint(key: Ed25519PublicKey) -> str:
    """A short hash by which people compare keys."""
    return _short(_raw(key))


def _pem(source: str, environ: Mapping[str, str] | None) -> bytes:
    if not source.startswith(_VARIABLE):
        return read_regular(Path(source).expanduser(), limits.MAX_KEY_FILE)
    name = source.removeprefix(_VARIABLE)
    value = (os.environ if environ is None else environ).get(name, "")
    if not value.strip():
        raise errors.UserMistake(f"the variable {name} is empty; set it to a key in PEM ({_HOW})")
    return value.replace("\\n", "\n").encode()  # secret stores of CI often keep a key on one line


def _no_key(source: str, reason: str) -> errors.UserMistake:
    return errors.UserMistake(f"{source} {reason}; {_HOW}")


def _raw(key: Ed25519PublicKey) -> bytes:
    return key.public_bytes(Encoding.Raw, PublicFormat.Raw)


def _text(data: bytes) -> str:
    return base64.b64encode(data).decode()


def _bytes(text: str) -> bytes:
    """Decode base64, and refuse other spellings of the same bytes."""
    try:
        data = base64.b64decode(text, validate=True)
    except binascii.Error:
        raise ValueError("not base64") from None
    if _text(data) != text:
        raise ValueError("not canonical base64")
    return data


def _short(raw: bytes) -> str:
    return hashlib.sha256(raw).hexdigest()[:16]
