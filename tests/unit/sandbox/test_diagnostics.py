"""Of what the type checker says, only that counts which cannot go well."""

import pytest

from toolbooth.sandbox.diagnostics import Mistake, mistakes, source_lines

CODE = "a = 1\nawait shop.get(key=1)\nawait shop.get(**a)\n"


def said(rule: str, message: str, line: int = 2, column: int = 1, level: str = "error") -> list[Mistake]:
    return mistakes(f"main.py:{line}:{column}: {level}[{rule}] {message}\n", CODE, {"get", "sort"})


def test_a_mistake_has_its_place_and_its_words() -> None:
    (found,) = said("unresolved-reference", "Name `x` used when not defined", 2, 7)
    assert found == Mistake(2, 7, "unresolved-reference", "Name `x` used when not defined")


@pytest.mark.parametrize(
    "rule", ["unresolved-reference", "unresolved-attribute", "unresolved-import", "invalid-syntax"]
)
def test_what_cannot_go_well_counts(rule: str) -> None:
    assert said(rule, "whatever")


@pytest.mark.parametrize(
    ("rule", "message", "counts"),
    [
        ("missing-argument", "No argument provided for required parameter `key` of function `get`", True),
        ("missing-argument", "No argument … of bound method `_T0.__call__`", True),
        ("missing-argument", "No argument … of function `helper`", False),
        (
            "invalid-argument-type",
            "Argument to function `shop.get` is incorrect: Expected `str`, found `int`",
            True,
        ),
        ("unsupported-operator", "Operator `+` is not supported", False),
        ("invalid-assignment", "Object of function `get` is not assignable", False),
        ("not-subscriptable", "Cannot subscript object of type `CoroutineType[Any, Any, Any]`", True),
        ("no-matching-overload", "Method `__getitem__` of type `x` … object of type `_Tools`", True),
    ],
)
def test_of_calls_only_those_of_ours_count(rule: str, message: str, counts: bool) -> None:
    assert bool(said(rule, message)) is counts


def test_an_argument_that_is_unpacked_is_left_to_the_run() -> None:
    message = "Argument to function `get` is incorrect: Expected `str`, found `int`"
    assert said("invalid-argument-type", message, 2, 16)
    assert not said("invalid-argument-type", message, 3, 16)


@pytest.mark.parametrize(
    ("expected", "found", "counts"),
    [
        ('Literal["asc", "desc"]', "str", False),
        ('Literal["asc", "desc"]', 'Literal["up"]', True),
        ('Literal["asc"] | None', "str | None", False),
        ('Literal["asc"] | None', "str", False),
        ("Literal[1, 2]", "int", False),
        ("Literal[1, 2]", "str", True),
        ("int", "str", True),
    ],
)
def test_a_text_that_may_be_one_of_the_choices_is_left_to_the_run(
    expected: str, found: str, counts: bool
) -> None:
    message = f"Argument to function `sort` is incorrect: Expected `{expected}`, found `{found}`"
    assert bool(said("invalid-argument-type", message)) is counts


def test_of_warnings_only_a_forgotten_await_counts() -> None:
    message = "Object of type `CoroutineType[Any, Any, Any]` is not awaited"
    assert said("unused-awaitable", message, level="warning")
    assert not said("unresolved-reference", message, level="warning")


def test_lines_are_counted_as_python_counts_them() -> None:
    assert source_lines("a\r\nb\rc\x0c\u2028\x85d\n") == ["a", "b", "c\x0c\u2028\x85d", ""]
