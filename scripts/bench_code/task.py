"""A task: the prompt, the expected answer, and how an agent does it in each mode."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from .agent import Way
from .direct_servers import DirectServers


class Proof(NamedTuple):
    """A call after the task, and what its answer must contain: a change that was only announced does not count."""

    name: str
    arguments: Mapping[str, Any]
    holds: str


@dataclass(frozen=True)
class Task:
    """`truth` computes the answer from servers with fresh data, independently of the agents."""

    name: str
    prompt: str
    truth: Callable[[DirectServers], str]
    ways: Mapping[str, Way] = field(hash=False)
    proofs: Callable[[DirectServers], list[Proof]] = lambda _: []
