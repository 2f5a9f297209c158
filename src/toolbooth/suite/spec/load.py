"""A suite file → a checked suite; mistakes are named with line and column, before anything runs."""

from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final

from toolbooth.catalog.config import Document, parse_document
from toolbooth.catalog.config.key_table import Mistakes, dotted
from toolbooth.catalog.config.key_table import Path as Place
from toolbooth.limits import MAX_SUITE_BYTES
from toolbooth.safetext import for_terminal
from toolbooth.suite.agents.providers.settings import Price
from toolbooth.suite.gates import GATES, read_gates
from toolbooth.suite.spec.keys import AGENT, TOP
from toolbooth.suite.spec.script import read_script
from toolbooth.suite.spec.suite import NO_MODEL, AgentSettings, Suite, TestCase

__all__ = ["SUFFIX", "load_suite", "suite_stem"]

SUFFIX: Final = ".toolbooth.yaml"
_SETTINGS: Final = tuple(key for key in AGENT if key not in ("model", "surface", "runs", "servers", "price"))


def load_suite(path: Path) -> Suite:
    """Read and check; raises ConfigError."""
    document = parse_document(path, MAX_SUITE_BYTES)
    TOP.check(document, document.value, ())
    value: Mapping[str, Any] = document.value or {}
    reader = _Reader(document, value)
    tests = tuple(reader.tests())
    if not tests:
        raise document.mistake("there is no test in it: add `tests:`, or gates to one of `agents:`")
    folder = path.parent
    configs = value.get("config") or ()
    warnings = (f"{test.name}: {said}" for test in tests for each in test.gates for said in each.warnings())
    return Suite(
        path,
        value.get("name") or suite_stem(path),
        tests,
        value.get("servers") or {},
        tuple(folder / _from_home(name) for name in ([configs] if isinstance(configs, str) else configs)),
        folder / value.get("cassettes", f"cassettes/{suite_stem(path)}"),
        tuple(value.get("redact") or ()),
        value.get("budget"),
        value.get("seed", 0),
        value.get("concurrency", 4),
        tuple(dict.fromkeys((*reader.warnings, *warnings))),
    )


def suite_stem(path: Path) -> str:
    """The file's name without what every suite's name ends with."""
    return path.name.removesuffix(SUFFIX) if path.name.endswith(SUFFIX) else path.stem


def _from_home(name: str) -> Path:
    """`~/.cursor/mcp.json` is the same on every machine of a team."""
    path = Path(name)
    return Path.home().joinpath(*path.parts[1:]) if path.parts[:1] == ("~",) else path


class _Reader:
    """Joins defaults, agents and tests."""

    def __init__(self, document: Document, value: Mapping[str, Any]) -> None:
        self._document, self._value = document, value
        self._defaults: Mapping[str, Any] = value.get("defaults") or {}
        self._agents: dict[str, Mapping[str, Any]] = {}
        self._names: set[str] = set()
        self.warnings: list[str] = []

    def tests(self) -> Iterator[TestCase]:
        mistakes = Mistakes()
        for index, entry in enumerate(self._value.get("agents") or ()):
            with mistakes.kept():
                yield from self._agent(entry or {}, ("agents", index))
        for index, entry in enumerate(self._value.get("tests") or ()):
            at: Place = ("tests", index)
            entry = entry or {}
            with mistakes.kept():
                yield self._test(entry, self._agent_of(entry), at)
        mistakes.tell()

    def _agent(self, entry: Mapping[str, Any], at: Place) -> Iterator[TestCase]:
        name = self._name(entry, at)
        if name in self._agents:
            raise self._document.mistake(f"there are two agents {for_terminal(name, 60)!r}", (*at, "name"))
        self._agents[name] = entry
        if GATES.keys() & entry.keys():
            yield self._test(entry, {}, at)

    def _agent_of(self, entry: Mapping[str, Any]) -> Mapping[str, Any]:
        """A test may name an agent that is not defined here: then only a recording can be scored."""
        named = entry.get("agent")
        if named is not None and named not in self._agents:
            near = get_close_matches(named, self._agents, n=1)
            help_ = f"did you mean {near[0]!r}?" if near else "only its recordings can be scored"
            self.warnings.append(f"the agent {for_terminal(named, 60)!r} is not defined here; {help_}")
        found = self._agents.get(str(named), {})
        return {key: value for key, value in found.items() if key not in GATES}

    def _name(self, entry: Mapping[str, Any], at: Place) -> str:
        if not entry.get("name"):
            raise self._document.mistake(f"{dotted(at)} needs a `name`", at)
        return str(entry["name"])

    def _test(self, entry: Mapping[str, Any], agent: Mapping[str, Any], at: Place) -> TestCase:
        name = self._name(entry, at)
        if name in self._names:
            raise self._document.mistake(f"there are two tests {for_terminal(name, 60)!r}", (*at, "name"))
        self._names.add(name)
        gates = read_gates(self._document, _with_classes(entry), at)
        if not gates:
            raise self._document.mistake(f"{dotted(at)} asserts nothing; add one of {', '.join(GATES)}", at)
        given = {**self._defaults, **agent, **entry}
        self._check_prompt(given, entry, at)
        script = read_script(given.get("script"))
        if any(not turn.uses for turn in script[:-1]):
            raise self._document.mistake(
                f"{dotted(at)}: a turn without a call ends the run; move it last", at
            )
        models = _many(given.get("model")) or ("scripted" if script else NO_MODEL,)
        if "scripted" in models and not script:
            raise self._document.mistake(f"{dotted(at)}: `model: scripted` needs a `script:` of calls", at)
        mark = self._document.values.get(at)
        return TestCase(
            name,
            str(given.get("prompt") or "").strip(),
            models,
            _many(given.get("surface")) or ("direct",),
            given.get("runs", 1),
            _settings(given),
            gates,
            script,
            mark.line if mark else 0,
            entry,
        )

    def _check_prompt(self, given: Mapping[str, Any], entry: Mapping[str, Any], at: Place) -> None:
        if "prompt" in given and not str(given["prompt"] or "").strip():
            place = (*at, "prompt") if "prompt" in entry else at
            raise self._document.mistake("the prompt is empty; write what a user would ask", place)


def _many(value: Any) -> tuple[str, ...]:
    if value is None:
        return ()
    return tuple(dict.fromkeys([value] if isinstance(value, str) else value))


def _settings(given: Mapping[str, Any]) -> AgentSettings:
    plain = {key: given[key] for key in _SETTINGS if given.get(key) is not None}
    servers = given.get("servers")
    price = given.get("price")
    return AgentSettings(
        servers=None if servers is None else tuple(dict.fromkeys(servers)),
        price=None if price is None else Price(float(price.get("input", 0)), float(price.get("output", 0))),
        **plain,
    )


def _with_classes(entry: Mapping[str, Any]) -> Mapping[str, Any]:
    """Distractors without classes of their own take those of another gate."""
    block = entry.get("distractors")
    if not isinstance(block, Mapping) or block.get("classes") is not None:
        return entry
    others = (entry.get(name) for name in ("equal_function_sets", "token_efficiency"))
    shared = next(
        (each["classes"] for each in others if isinstance(each, Mapping) and each.get("classes")), None
    )
    return entry if shared is None else {**entry, "distractors": {**block, "classes": shared}}
