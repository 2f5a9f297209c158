"""One task: the wish, the answer that must come out, and how an agent does it three ways."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from .shelf import Shelf
from .talk import Way


class Proof(NamedTuple):
    """A call after the task, and what its answer must hold: a change that was only talked of is none."""

    name: str
    arguments: Mapping[str, Any]
    holds: str


@dataclass(frozen=True)
class Task:
    """`truth` works on servers with fresh data, by its own way through them."""

    name: str
    wish: str
    truth: Callable[[Shelf], str]
    ways: Mapping[str, Way] = field(hash=False)
    proofs: Callable[[Shelf], list[Proof]] = lambda _: []
