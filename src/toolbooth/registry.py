"""A registry of plug-ins: a decorator registers each one under the name that users write.

A registry is a read-only mapping in the order of registration, so it needs no methods for looking up, listing or
checking names. Registering a name twice is a programming error and raises at import.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Generic, TypeVar

__all__ = ["Registry"]

Plugin = TypeVar("Plugin")


class Registry(Mapping[str, Plugin], Generic[Plugin]):
    """Plug-ins of one kind by name; `kind` is what error messages call one of them."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self._plugins: dict[str, Plugin] = {}

    def add(self, name: str, plugin: Plugin) -> None:
        """Register a plug-in without a decorator, such as a row of a table or an object built from one."""
        if name in self._plugins:
            raise ValueError(f"duplicate {self.kind} {name!r}")
        self._plugins[name] = plugin

    def register(self, name: str, *aliases: str) -> Callable[[Plugin], Plugin]:
        """A decorator that registers a plug-in under its name and its aliases, if there are any."""

        def registered(plugin: Plugin) -> Plugin:
            for each in (name, *aliases):
                self.add(each, plugin)
            return plugin

        return registered

    def __getitem__(self, name: str) -> Plugin:
        return self._plugins[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._plugins)

    def __len__(self) -> int:
        return len(self._plugins)
