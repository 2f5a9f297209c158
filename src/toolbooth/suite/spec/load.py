"""Suite files: found by name or folder, read, and checked before anything runs. Mistakes name line and column."""

import os
import shlex
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from toolbooth import errors, limits, safetext, suggest
from toolbooth.catalog.config import Document, looks_like_config, parse_document
from toolbooth.catalog.config.key_table import KeyPath, Mistakes, dotted
from toolbooth.files import from_home
from toolbooth.suite.gates import GATES, read_gates
from toolbooth.suite.spec import keys, suite
from toolbooth.suite.spec.script import read_script

__all__ = ["SUFFIX", "load_suite", "suite_stem"]


SUFFIX: Final = ".toolbooth.yaml"
_SETTINGS: Final = tuple(
    key for key in keys.AGENT if key not in ("model", "surface", "runs", "servers", "price")
)


def load_suite(path: Path) -> suite.Suite:
    """Read and check a suite. Raises ConfigError."""
    document = parse_document(path, limits.MAX_SUITE_BYTES)
    _refuse_config(document)
    keys.TOP.check(document, document.value, ())
    value: Mapping[str, Any] = document.value or {}
    reader = _Reader(document, value)
    tests = tuple(reader.tests())
    if not tests:
        raise document.mistake("the suite has no test; add `tests:`, or gates to one of `agents:`")
    folder = path.parent
    configs = value.get("config") or ()
    warnings = (f"{test.name}: {line}" for test in tests for each in test.gates for line in each.warnings())
    return suite.Suite(
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


def _refuse_config(document: Document) -> None:
    """A config of servers has keys of its own; none of them is a misspelled key of a suite."""
    value, path = document.value, document.path
    has_tests = isinstance(value, Mapping) and value.keys() & {"tests", "agents"}
    if not has_tests and not path.name.endswith(SUFFIX) and looks_like_config(value):
        command = f"toolbooth doctor {shlex.quote(str(path))}"
        raise errors.ConfigError(
            f"is a client's config, not a suite, which has `tests:`; `{command}` reads it", path
        )


def suite_stem(path: Path) -> str:
    """The file name without the suffix of suites."""
    return path.name.removesuffix(SUFFIX) if path.name.endswith(SUFFIX) else path.stem


def _from_home(name: str) -> Path:
    """`~/.cursor/mcp.json` is the same on every machine of a team."""
    return from_home(Path(name), Path.home())


class _Reader:
    """Joins defaults, agents and tests."""

    def __init__(self, document: Document, value: Mapping[str, Any]) -> None:
        self._document, self._value = document, value
        self._defaults: Mapping[str, Any] = value.get("defaults") or {}
        self._agents: dict[str, Mapping[str, Any]] = {}
        self._names: set[str] = set()
        self.warnings: list[str] = []

    def tests(self) -> Iterator[suite.TestCase]:
        mistakes = Mistakes()
        for index, entry in enumerate(self._value.get("agents") or ()):
            with mistakes.kept():
                yield from self._agent(entry or {}, ("agents", index))
        for index, entry in enumerate(self._value.get("tests") or ()):
            at: KeyPath = ("tests", index)
            entry = entry or {}
            with mistakes.kept():
                yield self._test(entry, self._agent_of(entry), at)
        mistakes.raise_found()

    def _agent(self, entry: Mapping[str, Any], at: KeyPath) -> Iterator[suite.TestCase]:
        name = self._name(entry, at)
        if name in self._agents:
            raise self._document.mistake(
                f"duplicate agent {safetext.for_terminal(name, 60)!r}", (*at, "name")
            )
        self._agents[name] = entry
        if GATES.keys() & entry.keys():
            yield self._test(entry, {}, at)

    def _agent_of(self, entry: Mapping[str, Any]) -> Mapping[str, Any]:
        """A test may name an agent that is not defined here; then only recordings can be scored."""
        named = entry.get("agent")
        if named is not None and named not in self._agents:
            hint = suggest.did_you_mean(named, self._agents, "only its recordings can be scored", form="{!r}")
            self.warnings.append(
                f"the agent {safetext.for_terminal(named, 60)!r} is not defined here; {hint}"
            )
        found = self._agents.get(str(named), {})
        return {key: value for key, value in found.items() if key not in GATES}

    def _name(self, entry: Mapping[str, Any], at: KeyPath) -> str:
        if not entry.get("name"):
            raise self._document.mistake(f"{dotted(at)} needs a `name`", at)
        return str(entry["name"])

    def _test(self, entry: Mapping[str, Any], agent: Mapping[str, Any], at: KeyPath) -> suite.TestCase:
        name = self._name(entry, at)
        if name in self._names:
            raise self._document.mistake(f"duplicate test {safetext.for_terminal(name, 60)!r}", (*at, "name"))
        self._names.add(name)
        gates = read_gates(self._document, _with_classes(entry), at)
        if not gates:
            raise self._document.mistake(f"{dotted(at)} has no gate; add one of {', '.join(GATES)}", at)
        given = {**self._defaults, **agent, **entry}
        self._check_prompt(given, entry, at)
        script = read_script(given.get("script"))
        if any(not turn.uses for turn in script[:-1]):
            raise self._document.mistake(
                f"{dotted(at)}: a turn without a call ends the run; move it to the end", at
            )
        models = _many(given.get("model")) or ("scripted" if script else suite.NO_MODEL,)
        if "scripted" in models and not script:
            raise self._document.mistake(f"{dotted(at)}: `model: scripted` needs a `script:` of calls", at)
        mark = self._document.values.get(at)
        return suite.TestCase(
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

    def _check_prompt(self, given: Mapping[str, Any], entry: Mapping[str, Any], at: KeyPath) -> None:
        if "prompt" in given and not str(given["prompt"] or "").strip():
            place = (*at, "prompt") if "prompt" in entry else at
            raise self._document.mistake("the prompt is empty; write what a user would ask", place)


def _many(value: Any) -> tuple[str, ...]:
    if value is None:
        return ()
    return tuple(dict.fromkeys([value] if isinstance(value, str) else value))


def _settings(given: Mapping[str, Any]) -> suite.AgentSettings:
    plain = {key: given[key] for key in _SETTINGS if given.get(key) is not None}
    servers = given.get("servers")
    price = given.get("price")
    return suite.AgentSettings(
        servers=None if servers is None else tuple(dict.fromkeys(servers)),
        price=None
        if price is None
        else suite.TokenPrice(float(price.get("input", 0)), float(price.get("output", 0))),
        **plain,
    )


def _with_classes(entry: Mapping[str, Any]) -> Mapping[str, Any]:
    """Distractors without classes use those of another gate."""
    block = entry.get("distractors")
    if not isinstance(block, Mapping) or block.get("classes") is not None:
        return entry
    others = (entry.get(name) for name in ("equal_function_sets", "token_efficiency"))
    shared = next(
        (each["classes"] for each in others if isinstance(each, Mapping) and each.get("classes")), None
    )
    return entry if shared is None else {**entry, "distractors": {**block, "classes": shared}}


_SKIPPED: Final = frozenset(
    {"node_modules", "__pycache__", "venv", "site-packages", "dist", "build", "target"}
)


def find_suites(named: Sequence[str], here: Path) -> tuple[Path, ...]:
    """The named files, and every `*.toolbooth.yaml` in the named folders and below. Raises if there is none."""
    found: list[Path] = []
    for name in named or (".",):
        path = here / name
        if path.is_dir():
            found += sorted(_below(path))
        elif named and path.exists():
            found.append(path)
        else:
            raise errors.ConfigError(f"{errors.NO_SUCH_FILE} or folder", path)
    if not found:
        where = f"in {', '.join(named)}" if named else "here or below"
        raise errors.NothingSelected(
            f"there is no *{SUFFIX} {where}; write a first one with `toolbooth init`, or name the file"
        )
    return tuple(dict.fromkeys(found))


def _below(folder: Path) -> Iterator[Path]:
    for seen, (at, folders, files) in enumerate(os.walk(folder)):
        if seen >= limits.MAX_SUITE_FOLDERS:
            raise errors.ConfigError(
                f"contains more than {limits.MAX_SUITE_FOLDERS} folders; name the suite files", folder
            )
        folders[:] = [name for name in folders if not name.startswith(".") and name not in _SKIPPED]
        yield from (Path(at) / name for name in files if name.endswith(SUFFIX))
