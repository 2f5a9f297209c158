"""Lazy exports: a package names what it offers, and imports the part that defines a name when it is first asked for.

An entry point that imported its whole package would make every command pay for the protocol SDK, the search index and
the validator. Type checkers read the imports under `TYPE_CHECKING` in the same file; a test keeps both lists equal.
"""

import sys

TYPE_CHECKING = False  # as in `typing`: the bridge imports this module at each start of a client

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

__all__ = ["exports"]


def exports(
    package: str, modules: "Mapping[str, str]"
) -> "tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]":
    """`__getattr__`, `__dir__` and `__all__` of a package, from its modules and the names that each defines."""
    homes = {name: module for module, names in modules.items() for name in names.split()}

    def load(name: str) -> "Any":
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        home = f"{package}.{homes[name]}"
        # The parent first: threads that ask for a package and for a part of it would each wait for the other.
        __import__(home.rpartition(".")[0])
        __import__(home)  # `importlib` would be one more import at each start of a client
        value = getattr(sys.modules[home], name)
        setattr(sys.modules[package], name, value)  # found at once from now on
        return value

    names = sorted(homes)
    return load, lambda: names, names
