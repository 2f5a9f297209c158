"""A suite as the runner uses it: tests with agents and defaults filled in, and the settings of providers."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, NamedTuple

from toolbooth import limits
from toolbooth.catalog.config import OFFERED_SURFACES
from toolbooth.suite.gates import Gate
from toolbooth.suite.spec.script import ScriptedTurn


class TokenPrice(NamedTuple):
    """Dollars per million tokens, for a model that is not in the price list."""

    input: float
    output: float


@dataclass(frozen=True)
class ProviderSettings:
    """`api_key_env` names the variable with the key; a suite never contains a key.

    `seed` is sent to providers that take one, and makes the pauses between retries repeatable.
    """

    base_url: str | None = None
    api_key_env: str | None = None
    temperature: float | None = None
    max_tokens: int = limits.MODEL_OUTPUT
    timeout: float = limits.MODEL_TIMEOUT
    retries: int = limits.MODEL_RETRIES
    price: TokenPrice | None = None
    seed: int | None = None


# `direct`, which needs no gateway, comes first: it is the default.
SURFACES: Final = ("direct", *(name for name in OFFERED_SURFACES if name != "direct"))
NO_MODEL = "replay"
MAX_TURNS = 10
TIMEOUT = 300.0  # seconds of one run, its tools included


@dataclass(frozen=True)
class AgentSettings:
    """How an agent is run. `servers` are names; None means all servers of the suite."""

    servers: tuple[str, ...] | None = None
    system_prompt: str = ""
    instructions: bool = True
    max_turns: int = MAX_TURNS
    timeout: float = TIMEOUT
    base_url: str = ""
    api_key_env: str = ""
    temperature: float | None = None
    max_tokens: int | None = None
    retries: int | None = None
    price: TokenPrice | None = None


@dataclass(frozen=True, eq=False)
class TestCase:
    """One test; each of its models on each of its surfaces is a cell."""

    __test__ = False  # pytest would collect it as a test class

    name: str
    prompt: str
    models: tuple[str, ...]
    surfaces: tuple[str, ...]
    runs: int
    agent: AgentSettings
    gates: tuple[Gate, ...]
    script: tuple[ScriptedTurn, ...] = ()
    line: int = 0
    entry: Mapping[str, Any] = field(default_factory=dict, repr=False)


@dataclass(frozen=True, eq=False)
class Suite:
    """One suite file. `servers` are its own entries as written, `configs` other files that define servers."""

    path: Path
    name: str
    tests: tuple[TestCase, ...]
    servers: Mapping[str, Any] = field(default_factory=dict, repr=False)
    configs: tuple[Path, ...] = ()
    cassettes: Path = Path("cassettes")
    redact: tuple[str, ...] = ()
    budget: float | None = None
    seed: int = 0
    concurrency: int = 4
    warnings: tuple[str, ...] = ()
