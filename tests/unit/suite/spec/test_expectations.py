"""`expect:` in both shapes comes to the same assertions; each mistake has its place."""

from pathlib import Path
from typing import Any

import pytest

from toolbooth.catalog.config import Document, parse_document
from toolbooth.errors import ConfigError
from toolbooth.suite.spec.expectations import Expectations
from toolbooth.suite.verdict import Assertion

TARGETS = ("score.f1", "score.recall")
EXPECT = Expectations(TARGETS.__contains__, TARGETS)


def document(folder: Path, text: str) -> Document:
    path = folder / "expect.yaml"
    path.write_text(text)
    return parse_document(path)


def read(folder: Path, text: str) -> tuple[Assertion, ...]:
    parsed = document(folder, text)
    return EXPECT.read(parsed, parsed.value["expect"], ("expect",))


def said(assertions: tuple[Assertion, ...]) -> list[tuple[str, str, Any]]:
    return [(each.target, each.matcher.name, each.argument) for each in assertions]


def test_both_shapes_come_to_the_same(tmp_path: Path) -> None:
    short = read(tmp_path, 'expect: [{score.f1: {">=": 80}}, {score.recall: {"<": 5}}]\n')
    long = read(
        tmp_path,
        'expect:\n  - {target: score.f1, matcher: {">=": 80}}\n  - {target: score.recall, matcher: {"<": 5}}\n',
    )
    assert said(short) == said(long) == [("score.f1", ">=", 80), ("score.recall", "<", 5)]


def test_a_line_may_hold_several_targets_and_a_target_several_matchers(tmp_path: Path) -> None:
    found = read(tmp_path, 'expect: [{score.f1: {">=": 1, "<=": 9}, score.recall: {"==": 3}}]\n')
    assert said(found) == [("score.f1", ">=", 1), ("score.f1", "<=", 9), ("score.recall", "==", 3)]


@pytest.mark.parametrize("text", ["expect:\n", "expect: []\n"])
def test_an_empty_list_asks_for_nothing(tmp_path: Path, text: str) -> None:
    assert read(tmp_path, text) == ()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("expect: {}\n", "1:9: expect must be a list"),
        ("expect: [a]\n", "1:10: expect[0] must be a target and a matcher"),
        ("expect: [{}]\n", "1:10: expect[0] must be a target and a matcher"),
        ("expect: [{score.f2: {'>': 1}}]\n", "1:11: unknown target 'score.f2'; did you mean 'score.f1'?"),
        ("expect: [{x: {'>': 1}}]\n", "1:11: unknown target 'x'; the targets are score.f1, score.recall"),
        ("expect: [{score.f1: 80}]\n", "1:21: expect[0].score.f1 must be a map such as"),
        ("expect: [{score.f1: {}}]\n", "1:21: expect[0].score.f1 must be a map such as"),
        ("expect: [{score.f1: {contain: x}}]\n", "1:22: unknown matcher 'contain'; did you mean 'contains'?"),
        ("expect: [{score.f1: {'~': x}}]\n", "1:22: unknown matcher '~'; the matchers are"),
        ("expect: [{score.f1: {'>': x}}]\n", "1:27: expect[0].score.f1.>: > takes a number"),
        ("expect: [{target: score.f1}]\n", "1:10: expect[0] needs both `target` and `matcher`"),
        ("expect: [{matcher: {'>': 1}}]\n", "1:10: expect[0] needs both `target` and `matcher`"),
        ("expect: [{target: 3, matcher: {'>': 1}}]\n", "1:10: expect[0] needs both `target` and `matcher`"),
        ("expect: [{target: x, matcher: {'>': 1}}]\n", "1:19: unknown target 'x'"),
        (
            "expect: [{target: score.f1, matcher: {'>': 1}, why: x}]\n",
            "1:48: unknown key 'why' in expect[0]; known are target, matcher",
        ),
    ],
)
def test_a_mistake_has_its_place(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        read(tmp_path, text)
    assert str(caught.value).startswith(f"{tmp_path / 'expect.yaml'}:{message}")


def test_foreign_words_in_a_message_are_clean(tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as caught:
        read(tmp_path, 'expect: [{"\\e[31m\\u202ex": {">": 1}}]\n')
    assert not {"\x1b", "\u202e"} & set(str(caught.value))
