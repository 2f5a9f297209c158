"""The register of adapters: name → how a recorded run of that shape is told and read."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from toolbooth.suite.adapters.tool_names import ToolNames
from toolbooth.suite.trace import Trace

Reader = Callable[[Any, ToolNames], list[Trace]]
Test = Callable[[Any], bool]


@dataclass(frozen=True)
class Adapter:
    """One shape. `is_run` says that a value can be read so; `is_sure` that it can hardly be anything else."""

    name: str
    shape: str
    is_run: Test
    is_sure: Test
    read: Reader

    def split(self, document: Any) -> list[Any]:
        """The runs in a file: the whole of it, or every item of a list; none where it has another shape."""
        if self.is_run(document):
            return [document]
        several = isinstance(document, list) and all(self.is_run(item) for item in document)
        return document if several else []


ADAPTERS: Final[dict[str, Adapter]] = {}


def adapter(
    name: str, shape: str, is_run: Test, is_sure: Test = lambda _run: True
) -> Callable[[Reader], Reader]:
    """Register a reader under its name; `shape` tells a person what it reads."""

    def register(reader: Reader) -> Reader:
        ADAPTERS[name] = Adapter(name, shape, is_run, is_sure, reader)
        return reader

    return register
