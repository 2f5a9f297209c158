"""A server spec → the name of its cache entry, from which nothing secret can be had.

Two accounts of one server may see other tools, so what may be secret (arguments, address, values) counts. Of it
only sixteen bits of a digest are kept, under a random key of this folder: enough to tell accounts apart, and not
enough to tell a right guess from sixty thousand wrong ones.
"""

from hashlib import blake2b
from typing import Final

from toolbooth.catalog import ServerSpec, canonical

KEY_BYTES: Final = 32
_OPEN_BYTES, _SECRET_BYTES = 12, 2


def fingerprint(spec: ServerSpec, key: bytes) -> str:
    """Hex digits and a dash: a file name on every system."""
    names = [sorted(spec.env), sorted(spec.headers)]
    in_the_open = [spec.name, spec.transport, spec.command, str(spec.cwd or ""), *names]
    secret = [list(spec.args), spec.url, sorted(spec.env.items()), sorted(spec.headers.items())]
    return f"{_digest(in_the_open, key, _OPEN_BYTES)}-{_digest(secret, key, _SECRET_BYTES)}"


def _digest(value: object, key: bytes, size: int) -> str:
    return blake2b(canonical(value).encode("utf-8", "surrogatepass"), key=key, digest_size=size).hexdigest()
