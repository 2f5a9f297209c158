"""The operating system's keyring, where the `keyring` package is installed and has a real one behind it."""

from typing import Any

_SERVICE = "toolbooth"
# These keep nothing, refuse everything, or write what they are given into a plain file.
_NOT_REAL = ("keyring.backends.fail", "keyring.backends.null", "keyring.backends.chainer", "keyrings.alt")


class OsKeyring:
    """Text by name in the keyring. What fails in it, fails as KeyringTrouble."""

    def __init__(self, backend: Any) -> None:
        self._backend = backend

    @classmethod
    def find(cls) -> "OsKeyring | None":
        """The best real backend, or None."""
        try:
            import keyring

            found: Any = keyring.get_keyring()
            backends = [each for each in getattr(found, "backends", (found,)) if _is_real(each)]
        except Exception:  # not installed, or its own config names a backend that is not there
            return None
        return cls(backends[0]) if backends else None

    def get(self, name: str) -> str | None:
        """What is kept under that name."""
        return self._ask("get_password", name)

    def set(self, name: str, text: str) -> None:
        """Keep it."""
        self._ask("set_password", name, text)

    def delete(self, name: str) -> None:
        """Remove it."""
        self._ask("delete_password", name)

    def _ask(self, method: str, *words: str) -> str | None:
        try:
            said = getattr(self._backend, method)(_SERVICE, *words)
        except Exception as error:  # each backend raises what its system raises: D-Bus, Win32, Security
            raise KeyringTrouble(type(error).__name__) from None
        return said if isinstance(said, str) else None


class KeyringTrouble(Exception):
    """The keyring is locked, full or gone. Holds the kind of error only: its text may quote what was to be kept."""


def _is_real(backend: object) -> bool:
    return not type(backend).__module__.startswith(_NOT_REAL)
