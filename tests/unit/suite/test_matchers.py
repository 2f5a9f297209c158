"""`contains`, `icontains` and `contains-all` look into texts and lists."""

from typing import Any

import pytest

from toolbooth.suite.matchers import MATCHERS, BadArgument


@pytest.mark.parametrize(
    ("word", "argument", "found", "fits"),
    [
        ("contains", "ell", "hello", True),
        ("contains", "ELL", "hello", False),
        ("contains", 3, "room 3", True),
        ("contains", "b", ["a", "b"], True),
        ("contains", "b", ("a", "bc"), False),
        ("contains", "b", {"b": 1}, True),
        ("contains", "b", None, False),
        ("contains", "1", 1, False),
        ("icontains", "ELL", "hello", True),
        ("icontains", "straße", "STRASSE 3", True),
        ("icontains", "B", ["a", "b"], True),
        ("icontains", "x", ["a", 1], False),
        ("icontains", "x", None, False),
        ("contains-all", ["h", "o"], "hello", True),
        ("contains-all", ["h", "x"], "hello", False),
        ("contains-all", ["a", "b"], ["b", "c", "a"], True),
        ("contains-all", ["a"], [], False),
    ],
)
def test_a_part_is_found(word: str, argument: Any, found: Any, fits: bool) -> None:
    assert MATCHERS[word].compile(argument)(found) is fits


@pytest.mark.parametrize(("argument", "found"), [([1], {"a": 1}), ({"a": 1}, {"a": 1}), ([1], [[1]])])
def test_a_part_that_is_no_key_does_not_break(argument: Any, found: Any) -> None:
    assert MATCHERS["contains"].compile(argument)(found) is isinstance(found, list)


@pytest.mark.parametrize(
    ("word", "argument"), [("icontains", 3), ("contains-all", "abc"), ("contains-all", [])]
)
def test_what_cannot_be_is_refused(word: str, argument: Any) -> None:
    with pytest.raises(BadArgument):
        MATCHERS[word].compile(argument)


@pytest.mark.parametrize(
    ("word", "below", "same", "above"),
    [
        (">=", False, True, True),
        (">", False, False, True),
        ("<=", True, True, False),
        ("<", True, False, False),
        ("==", False, True, False),
        ("!=", True, False, True),
    ],
)
def test_a_number_is_compared(word: str, below: bool, same: bool, above: bool) -> None:
    fits = MATCHERS[word].compile(80)
    assert (fits(79), fits(80), fits(80.5)) == (below, same, above)


@pytest.mark.parametrize("word", [">=", ">", "<=", "<"])
@pytest.mark.parametrize("found", ["80", None, True, [80], {}])
def test_what_is_no_number_never_fits_an_order(word: str, found: Any) -> None:
    assert not MATCHERS[word].compile(0)(found)


@pytest.mark.parametrize("word", [">=", ">", "<=", "<"])
@pytest.mark.parametrize("argument", ["80", None, True, [1]])
def test_an_order_takes_a_number(word: str, argument: Any) -> None:
    with pytest.raises(BadArgument, match="takes a number"):
        MATCHERS[word].compile(argument)


def test_sameness_takes_any_value() -> None:
    assert MATCHERS["=="].compile("a")("a")
    assert MATCHERS["!="].compile("a")(1)
    assert MATCHERS["=="].compile([1, {"a": 2}])([1, {"a": 2}])


@pytest.mark.parametrize(("one", "other"), [(True, 1), (0, False)])
def test_truth_is_no_number(one: Any, other: Any) -> None:
    assert not MATCHERS["=="].compile(one)(other)
    assert MATCHERS["!="].compile(one)(other)


compile_schema = MATCHERS["schema"].compile


@pytest.mark.parametrize(
    ("schema", "found", "fits"),
    [
        ({"minimum": 60}, 60, True),
        ({"minimum": 60}, 59, False),
        ({"type": "object", "required": ["a"]}, {"a": 1}, True),
        ({"type": "object", "required": ["a"]}, {}, False),
        ({"$defs": {"n": {"type": "integer"}}, "items": {"$ref": "#/$defs/n"}}, [1, "x"], False),
        (True, None, True),
        (False, None, False),
    ],
)
def test_a_value_is_judged(schema: Any, found: Any, fits: bool) -> None:
    assert compile_schema(schema)(found) is fits


@pytest.mark.parametrize(
    "schema",
    [
        "x",
        3,
        None,
        {"type": "nonsense"},
        {"pattern": "("},
        {"$ref": "http://127.0.0.1:9/other.json"},
        {"$ref": "file:///etc/hostname"},
        {"$ref": "#/nowhere"},
    ],
)
def test_what_is_no_schema_is_refused_when_the_suite_is_read(schema: Any) -> None:
    with pytest.raises(BadArgument) as caught:
        compile_schema(schema)
    assert "\n" not in str(caught.value)


compile_regex = MATCHERS["regex"].compile


@pytest.mark.parametrize(
    ("pattern", "found", "fits"),
    [
        ("ell", "hello", True),
        ("^ell", "hello", False),
        ("(?i)HELLO", "hello", True),
        (r"T-[0-9]{3}\b", "opened T-142.", True),
        ("x", None, False),
        ("1", 1, False),
        ("", "", True),
    ],
)
def test_a_pattern_is_found_in_text(pattern: str, found: Any, fits: bool) -> None:
    assert compile_regex(pattern)(found) is fits


@pytest.mark.parametrize("pattern", ["(", "[", "a{2,1}", "(?=a)", "(?<!a)b", r"(a)\1", 3, None, ["a"]])
def test_what_is_no_pattern_is_refused_when_the_suite_is_read(pattern: Any) -> None:
    with pytest.raises(BadArgument):
        compile_regex(pattern)


def test_a_pattern_that_would_backtrack_ends() -> None:
    assert not compile_regex(r"^(a+)+$")("a" * 100_000 + "b")


@pytest.mark.parametrize(
    ("argument", "found", "fits"),
    [
        ("a", "a", True),
        ("a", "A", False),
        (1, 1.0, True),
        (1, True, False),
        (False, 0, False),
        (None, None, True),
        ([1, 2], [1, 2], True),
        ([1, 2], [2, 1], False),
        ({"a": 1}, {"a": 1}, True),
        ({"a": 1}, {"a": 1, "b": 2}, False),
        ([1], [True], False),
        ({"a": 0}, {"a": False}, False),
    ],
)
def test_the_same_value_and_no_other(argument: Any, found: Any, fits: bool) -> None:
    assert MATCHERS["exact"].compile(argument)(found) is fits


def test_all_words_of_the_specification_are_known() -> None:
    operators = {">=", ">", "<=", "<", "==", "!="}
    assert MATCHERS.keys() == operators | {
        "exact",
        "contains",
        "icontains",
        "contains-all",
        "regex",
        "schema",
    }


def test_each_is_explained() -> None:
    assert all(each.says.endswith(".") and each.name == name for name, each in MATCHERS.items())
