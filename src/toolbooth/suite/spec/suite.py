"""A suite as the runner knows it: tests with all that agents and defaults say filled in."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from toolbooth.suite.agents.providers.settings import Price
from toolbooth.suite.gates import Gate
from toolbooth.suite.spec.script import ScriptedTurn

NO_MODEL = "replay"
MAX_TURNS = 10
TIMEOUT = 300.0  # seconds of one run, its tools included


@dataclass(frozen=True)
class AgentSettings:
    """How an agent is run. `servers` are names; None means all of the suite."""

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
    price: Price | None = None


@dataclass(frozen=True, eq=False)
class TestCase:
    """One test: every model and surface of it is a cell."""

    __test__ = False  # pytest would take it for one of its own

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
    """One file. `servers` are its own entries as written, `configs` other files that name servers."""

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
