"""The JSON Schema for editors accepts exactly what the reader accepts."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest
from tests.unit.suite.suite_texts import BOTH, SHAPE_A, SHAPE_B, SMALLEST, WHOLE

from toolbooth.catalog.config import config_schema, parse_document, read_config
from toolbooth.cli import schema as verb
from toolbooth.errors import ConfigError
from toolbooth.suite.spec.keys import TOP, suite_schema
from toolbooth.suite.spec.load import load_suite

EXAMPLES = sorted((Path(__file__).parents[4] / "examples").rglob("*.toolbooth.yaml"))
JUDGE = jsonschema.Draft202012Validator(suite_schema())


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    assert verb.run(list(words)) == 0
    return json.loads(capsys.readouterr().out)


def judged(tmp_path: Path, text: str) -> tuple[bool, bool]:
    """What the schema and what the reader say of the same text."""
    path = tmp_path / "a.toolbooth.yaml"
    path.write_text(text, encoding="utf-8")
    fits = JUDGE.is_valid(parse_document(path).value)
    try:
        load_suite(path)
    except ConfigError:
        return fits, False
    return fits, True


@pytest.mark.parametrize("text", [SHAPE_A, SHAPE_B, BOTH, WHOLE, SMALLEST])
def test_what_the_reader_takes_fits(tmp_path: Path, text: str) -> None:
    assert judged(tmp_path, text) == (True, True)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_every_example_fits(tmp_path: Path, path: Path) -> None:
    assert judged(tmp_path, path.read_text(encoding="utf-8")) == (True, True)


TEST_MISTAKES = (
    "promt: x",
    "prompt: 3",
    "runs: 0",
    "runs: 1.5",
    "surface: tiny",
    "surface: []",
    "surface: [direct, 3]",
    "model: ''",
    "model: []",
    "type: tool",
    "servers: notes",
    "servers: [' ']",
    "timeout: 0",
    "max_turns: true",
    "temperature: -1",
    "retries: x",
    "retries: 1.5",
    "instructions: 'yes'",
    "price: {in: 1}",
    "price: {input: -1}",
    "budget: 0",
    "no_calls: false",
    "no_calls: []",
    "expect: {}",
    "expect: [x]",
    "expect: [{}]",
    "expect: [{cost: 3}]",
    "expect: [{cost: {}}]",
    "expect: [{cost: {'~': 3}}]",
    "expect: [{cost: {'>': x}}]",
    "expect: [{target: cost}]",
    "expect: [{matcher: {'>': 1}}]",
    "expect: [{target: cost, matcher: {'>': 1}, why: x}]",
    "expect: [{target: cost, matcher: {contains-all: x}}]",
    "expect: [{target: cost, matcher: {contains-all: []}}]",
    "equal_function_sets: [x]",
    "equal_function_sets: {classes: [x]}",
    "equal_function_sets: {classes: [{name: a, member: [b]}]}",
    "equal_function_sets: {classes: [{name: a, members: ['']}]}",
    "equal_function_sets: {class: []}",
    "equal_function_sets: {classes: [{name: a, members: [b]}], expect_no_calls: 1}",
    "distractors: {count: 0}",
    "distractors: {count: 5, seed: x}",
    "script: x",
    "script: ['']",
    "script: [{}]",
    "script: [{cal: x}]",
    "script: [{call: a, use: b}]",
    "script: [{call: a, args: [1]}]",
    "script: [{calls: [{say: x}]}]",
)
TOP_MISTAKES = (
    "test: []",
    "version: 2",
    "name: ''",
    "servers: {a: {comand: x}}",
    "servers: [a]",
    "config: []",
    "config: 3",
    "redact: x",
    "budget: 0",
    "seed: 1.5",
    "concurrency: 0",
    "defaults: {prompt: x}",
    "defaults: {surface: tiny}",
    "agents: {}",
    "agents: [x]",
)


@pytest.mark.parametrize("line", TEST_MISTAKES)
def test_a_mistake_in_a_test_does_not_fit_either(tmp_path: Path, line: str) -> None:
    rest = "" if line.startswith("no_calls") else "    no_calls: true\n"
    assert judged(tmp_path, f"tests:\n  - name: a\n{rest}    {line}\n") == (False, False)


@pytest.mark.parametrize("line", TOP_MISTAKES)
def test_a_mistake_at_the_top_does_not_fit_either(tmp_path: Path, line: str) -> None:
    assert judged(tmp_path, f"{SMALLEST}{line}\n") == (False, False)


def explained(schema: dict[str, Any]) -> Iterator[str]:
    for name, each in schema.get("properties", {}).items():
        if name not in ("target", "matcher"):  # words of the short shape, explained by their list
            assert each["description"].endswith((".", ")")), name
        yield name
        yield from explained(each)
    inner = [schema.get("additionalProperties"), schema.get("items"), *schema.get("anyOf", ())]
    for each in inner:
        yield from explained(each) if isinstance(each, dict) else ()


def test_every_key_is_in_it_and_explained() -> None:
    assert set(TOP.table) <= set(explained(suite_schema()))


def test_each_schema_is_printed_by_its_name(capsys: pytest.CaptureFixture[str]) -> None:
    assert printed(capsys, "config") == config_schema()
    assert printed(capsys, "suite") == suite_schema()


@pytest.mark.parametrize(
    ("text", "fits"),
    [
        (SMALLEST, True),
        (BOTH, True),
        ("agents: [{name: a, no_calls: true}]\n", True),
        ("servers: {a: {command: x}}\nsurface: search\n", True),
        ("servers: {a: {command: x}}\n", True),
        ("tests: [{name: a, promt: x}]\n", False),
        (SMALLEST + "surface: search\n", False),
        ("surface: tiny\n", False),
        ("defaults: {}\n", False),
        ("server: {}\n", False),
        ("- a\n", False),
    ],
)
def test_one_schema_fits_both_files_and_tells_them_apart(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, fits: bool
) -> None:
    path = tmp_path / "a.yaml"
    path.write_text(text)
    judge = jsonschema.Draft202012Validator(printed(capsys))
    assert judge.is_valid(parse_document(path).value) is fits


def test_what_the_joined_schema_takes_as_a_config_is_one(tmp_path: Path) -> None:
    path = tmp_path / "toolbooth.yaml"
    path.write_text("servers: {a: {command: x}}\nsurface: search\n")
    assert read_config(path, {}).servers


def test_the_joined_schema_offers_every_key_with_its_words(capsys: pytest.CaptureFixture[str]) -> None:
    offered = printed(capsys)["properties"]
    assert offered.keys() == config_schema()["properties"].keys() | suite_schema()["properties"].keys()
    assert all(each["description"] for each in offered.values())
