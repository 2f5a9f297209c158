"""Input schemas built to hang, to crash or to reach out: judged by count before the engine sees them."""

import json
import random
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from toolbooth.catalog import Tool
from toolbooth.gateway.arguments import check_arguments, judged
from toolbooth.gateway.arguments.check import build
from toolbooth.gateway.arguments.inspection import Inspection
from toolbooth.limits import (
    MAX_CHECK_WORK,
    MAX_EXPLAIN_WORK,
    MAX_EXPLAINING,
    MAX_JUDGING,
    MAX_SCHEMA_LEVELS,
    MAX_VISITS,
)

Json = Any
DEADLINE = 120.0  # seconds for all bombs together in a process of their own; they need two


class Bomb(NamedTuple):
    schema: dict[str, Json]
    call: dict[str, Json]


def nest(levels: int, leaf: Json) -> Json:
    for _ in range(levels):
        leaf = {"c": leaf}
    return leaf


def doubling(word: str, levels: int, times: int) -> Bomb:
    """A kilobyte of references that one value meets `times` to the power of `levels` times."""
    steps: dict[str, Json] = {f"d{n}": {word: [{"$ref": f"#/$defs/d{n + 1}"}] * times} for n in range(levels)}
    steps[f"d{levels}"] = {"type": "string"}
    return Bomb(
        {"properties": {"x": {"$ref": "#/$defs/d0"}, "y": {"type": "string"}}, "$defs": steps}, {"x": 1}
    )


def branching(word: str) -> Bomb:
    """A schema that meets each level of a value twice as often as the level above."""
    again = {word: [{"$ref": "#/$defs/n"}, {"$ref": "#/$defs/n"}]}
    definition = {"type": "object", "properties": {"c": again}}
    return Bomb({"properties": {"c": {"$ref": "#/$defs/n"}}, "$defs": {"n": definition}}, nest(60, 5))


def unevaluated(levels: int) -> dict[str, Json]:
    schema: dict[str, Json] = {"properties": {"c": True}, "unevaluatedProperties": False}
    for _ in range(levels):
        schema = {"allOf": [schema], "unevaluatedProperties": False}
    return schema


def deep(levels: int) -> dict[str, Json]:
    schema: dict[str, Json] = {"type": "object"}
    for _ in range(levels):
        schema = {"properties": {"c": schema}}
    return schema


def chain(length: int) -> Bomb:
    steps: dict[str, Json] = {f"d{n}": {"$ref": f"#/$defs/d{n + 1}"} for n in range(length)}
    steps[f"d{length}"] = {"type": "object", "properties": {"c": {"$ref": "#/$defs/d0"}}}
    return Bomb({"$ref": "#/$defs/d0", "$defs": steps}, nest(190, 5))


def text(length: int) -> str:
    source = random.Random(1)
    return "".join(source.choice("ab") for _ in range(length))


PROPERTIES = {f"p{n}": {"type": "string"} for n in range(1_400)}
BOMBS: dict[str, Callable[[], Bomb]] = {
    "all of ten, eight times": lambda: doubling("allOf", 8, 10),
    "any of ten, eight times": lambda: doubling("anyOf", 8, 10),
    "one of ten, eight times": lambda: doubling("oneOf", 8, 10),
    "all of two, forty times": lambda: doubling("allOf", 40, 2),
    "any of itself twice": lambda: branching("anyOf"),
    "all of itself twice": lambda: branching("allOf"),
    "itself": lambda: Bomb({"$ref": "#"}, {}),
    "all of itself": lambda: Bomb({"allOf": [{"$ref": "#"}]}, {}),
    "not itself": lambda: Bomb({"not": {"$ref": "#"}}, {}),
    "a ring of two": lambda: Bomb(
        {"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}}, {}
    ),
    "itself if it is given": lambda: Bomb({"dependentSchemas": {"a": {"$ref": "#"}}}, {"a": 1}),
    "itself by a dynamic name": lambda: Bomb({"$dynamicAnchor": "n", "allOf": [{"$dynamicRef": "#n"}]}, {}),
    "a long chain": lambda: chain(1_400),
    "a chain at every level": lambda: chain(60),
    "unevaluated in unevaluated": lambda: Bomb(unevaluated(20), {"c": 1}),
    "a backtracking pattern": lambda: Bomb(
        {"properties": {"x": {"pattern": "^(a+)+$"}}}, {"x": "a" * 60 + "b"}
    ),
    "a pattern that needs backtracking": lambda: Bomb(
        {"properties": {"x": {"pattern": "^(?=(a+)+$)"}}}, {"x": "a" * 60 + "b"}
    ),
    "a pattern that explodes": lambda: Bomb({"properties": {"x": {"pattern": "a{1000}{1000}"}}}, {"x": "a"}),
    "a pattern with many states": lambda: Bomb(
        {"properties": {"x": {"pattern": "[ab]*a[ab]{400}c"}}}, {"x": text(3_900)}
    ),
    "a long text for many states": lambda: Bomb(
        {"properties": {"x": {"pattern": "[ab]*a[ab]{400}c"}}}, {"x": text(4_000) * 1_000}
    ),
    "a thousand patterns": lambda: Bomb(
        {"properties": {f"x{n}": {"pattern": f"[^a]{{90}}{n}"} for n in range(900)}}, {"x0": "a"}
    ),
    "a thousand patterns of names": lambda: Bomb(
        {"patternProperties": {f"^a{n}": {"type": "string"} for n in range(1_400)}},
        {f"k{n}": 1 for n in range(5_000)},
    ),
    "options of many kinds": lambda: Bomb(
        {"properties": {"x": {"items": {"enum": [*range(1_000), *map(str, range(1_000))]}}}},
        {"x": [-1] * 9_000},
    ),
    "many names to ask for": lambda: Bomb(
        {"properties": {"x": {"items": {"required": [f"a{n}" for n in range(1_900)]}}}}, {"x": [{}] * 5_000}
    ),
    "many branches": lambda: Bomb(
        {"anyOf": [{"properties": {"p": {"const": n}}, "required": ["p"]} for n in range(400)]}, {"p": -1}
    ),
    "many parameters, all wrong": lambda: Bomb({"properties": PROPERTIES}, dict.fromkeys(PROPERTIES, 1)),
    "many rows, all wrong": lambda: Bomb(
        {"properties": {"x": {"items": {"anyOf": [{"type": "string"}, {"required": ["a"]}]}}}},
        {"x": [5] * 15_000},
    ),
    "a million rows": lambda: Bomb({"properties": {"x": {"items": {"type": "string"}}}}, {"x": [1] * 10**6}),
    "64 levels": lambda: Bomb(deep(MAX_SCHEMA_LEVELS - 1), nest(190, 5)),
    "too many levels": lambda: Bomb(deep(90), nest(190, 5)),
    "too many values": lambda: Bomb({"enum": list(range(10**6))}, {}),
}


@pytest.mark.parametrize("name", BOMBS)
def test_a_hostile_schema_is_judged_in_bounded_steps_and_leaves_bounded_work(name: str) -> None:
    checker = build(BOMBS[name]().schema)
    assert checker.load.steps <= MAX_JUDGING
    assert checker.load.visits <= MAX_VISITS


@pytest.mark.parametrize("name", BOMBS)
def test_what_is_wrong_with_a_hostile_call_is_looked_for_a_bounded_number_of_times(name: str) -> None:
    bomb = BOMBS[name]()
    checker = build(bomb.schema).for_call(bomb.call)
    if checker is not None and checker.root is not None:
        look = Inspection(checker.dialect, checker.load)
        look.run(checker.root, bomb.call)
        assert look.questions <= MAX_EXPLAINING + 1
        assert look.work <= MAX_EXPLAIN_WORK + MAX_CHECK_WORK


@pytest.mark.promise("call:hostile-schema")
def test_no_hostile_schema_hangs_or_crashes_the_process_that_checks_a_call() -> None:
    run = subprocess.run(
        [sys.executable, "-m", "tests.faults.test_hostile_schemas"],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        timeout=DEADLINE,
        check=False,
    )
    assert run.returncode == 0, run.stderr[-2_000:]
    assert json.loads(run.stdout).keys() == BOMBS.keys()


def test_what_can_be_checked_beside_a_bomb_is_checked() -> None:
    tool = Tool("", "t", input_schema=doubling("anyOf", 8, 10).schema)
    assert judged(tool) == "partly"
    assert check_arguments(tool, {"x": 5}) == ()
    assert [problem.message for problem in check_arguments(tool, {"x": 5, "y": 5})] == [
        '"y" must be str, not int 5'
    ]


class Listener(ThreadingHTTPServer):
    """Counts who comes; whatever is asked for is a schema that nothing fits."""

    daemon_threads = True
    visits = 0

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


class _Refusing(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        assert isinstance(self.server, Listener)
        self.server.visits += 1
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b'{"not": {}}')

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Nothing is said on stderr."""


@pytest.fixture
def listener() -> Iterator[Listener]:
    with Listener(("127.0.0.1", 0), _Refusing) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.mark.promise("call:never-fetched")
def test_no_reference_is_ever_fetched(listener: Listener, tmp_path: Path) -> None:
    refusing = tmp_path / "refusing.json"
    refusing.write_text('{"not": {}}')
    far = f"{listener.address}/schema.json"
    schemas: list[dict[str, Json]] = [
        *({"properties": {"x": {"$ref": ref}}} for ref in (far, f"{far}#/a", refusing.as_uri())),
        {"$schema": far, "properties": {"x": False}},
        {"$id": far, "properties": {"x": {"$ref": "other.json"}}},
        {"$id": far, "properties": {"x": {"$id": "deeper/", "$ref": "#/a"}}, "a": {"not": {}}},
        {"properties": {"x": {"$dynamicRef": far}}},
        {"$schema": "http://json-schema.org/draft-07/schema#", "properties": {"x": {"$ref": far}}},
        {"properties": {"x": {"$ref": str(refusing)}}},
    ]
    for schema in schemas:
        tool = Tool("", "t", input_schema=schema)
        assert judged(tool) != "full", schema
        assert check_arguments(tool, {"x": 1}) == (), schema
    assert listener.visits == 0


def explode() -> dict[str, int]:
    """Judge, compile, check and explain every bomb; how many problems each call has."""
    found = {}
    for name, make in BOMBS.items():
        bomb = make()
        found[name] = len(check_arguments(Tool("", name, input_schema=bomb.schema), bomb.call))
    return found


if __name__ == "__main__":
    print(json.dumps(explode()))
