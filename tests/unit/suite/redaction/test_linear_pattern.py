"""A suite's own patterns agree with `re`, and their work grows with the text and no faster."""

import re

import pytest

from toolbooth.errors import ConfigError
from toolbooth.limits import MAX_PATTERN
from toolbooth.suite.redaction.linear_pattern import LinearPattern


@pytest.mark.parametrize(
    "pattern",
    [
        *(
            r"ACME-\d+",
            r"a|bc|b",
            r"(?i)[^a-cx]x",
            r"(ab)+c?",
            r"\bfoo\b",
            r"^a",
            r"a$",
            r"(?m)^a$",
            r"x{2,3}",
        ),
        *(
            r"\w+@\w+\.com",
            r"[\s_]+",
            r"(?i:AB)c",
            r"\Bo",
            r"(?s)a.b",
            r"a.b",
            r"é+",
            r"[a-]",
            r"a{0}b",
        ),
        *(r"\Afoo", r"foo\Z", r"(?:a|b(?:c|d)*)+e"),
    ],
)
def test_it_takes_out_what_re_takes_out(pattern: str) -> None:
    for said in (
        "",
        "foo ACME-12 boo",
        "abcbc ababc",
        "a\nb\na",
        "xxxxx Ax",
        "me@you.com éé a-b",
        "ABc abce b",
    ):
        expected = re.sub(pattern, lambda hit: "\ue000" * bool(hit[0]), said)
        found = LinearPattern(pattern).without(said, "\ue000")
        assert re.sub("\ue000+", "\ue000", found) == re.sub("\ue000+", "\ue000", expected)


@pytest.mark.parametrize("pattern", [r"\D\W\S", r"(?i)[^a-c]x", r"aba", r"a.?b|bc", r"x{2,3}"])
def test_all_that_any_match_covers_goes_be_they_side_by_side_or_over_each_other(pattern: str) -> None:
    for said in ("ababa bcb", "xxxxx Ax", "a\nb\na", "aXbc xx"):
        spans = [(i, j) for i in range(len(said)) for j in range(i, len(said) + 1)]
        hits = [range(i, j) for i, j in spans if re.fullmatch(pattern, said[i:j])]
        expected = "".join("#" if any(at in hit for hit in hits) else sign for at, sign in enumerate(said))
        assert LinearPattern(pattern).without(said, "#") == re.sub("#+", "#", expected)


@pytest.mark.parametrize("pattern", [r"(a+)+b", r"(a|a)*b", r"a*a*a*a*b", r"(.*)*x", r"(?:a?){30}a{30}"])
def test_patterns_that_make_others_backtrack_take_two_steps_a_character(pattern: str) -> None:
    linear = LinearPattern(pattern)
    assert linear.without("a" * 20 + "!", "#").count("a") in (20, 0)
    linear.steps = 0
    for length in (1_000, 100_000):
        linear.steps = 0
        linear.without("a" * length, "#")
        assert linear.steps <= 2 * length


@pytest.mark.parametrize(
    "pattern",
    [
        r"(a)\1",
        r"(?=a)b",
        r"(?<!a)b",
        r"a++",
        r"(?>a)",
        "(",
        "a{5000}",
        "(a{500}){500}",
        "x" * (MAX_PATTERN + 1),
    ],
)
def test_what_cannot_be_done_in_linear_time_is_refused_in_one_line(pattern: str) -> None:
    with pytest.raises(ConfigError) as caught:
        LinearPattern(pattern)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 500


def test_a_deeply_nested_pattern_is_refused_and_does_not_crash() -> None:
    with pytest.raises(ConfigError):
        LinearPattern("(" * 490 + "a" + ")" * 490 + "(")


def test_a_lazy_repeat_is_as_a_greedy_one() -> None:
    assert LinearPattern(r"<.*?>").without("a <b> c <d> e", "#") == "a # e"
