"""Caps come field by field from the most exact pattern."""

from toolbooth.catalog.config import AnswerCaps, Cap, CapRule


def test_no_rule_is_no_cap() -> None:
    assert AnswerCaps().cap_for("a.b") == Cap(None, None)


def test_the_most_exact_pattern_wins_for_each_field() -> None:
    caps = AnswerCaps.of(
        {
            "github.list_issues": {"limit": 5},
            "*": {"max_bytes": 100},
            "github.*": {"max_bytes": 50, "limit": 50},
        }
    )
    assert caps.cap_for("github.list_issues") == Cap(max_bytes=50, limit=5)
    assert caps.cap_for("github.other") == Cap(50, 50)
    assert caps.cap_for("fs.read") == Cap(100, None)


def test_case_and_dots_are_taken_as_they_are() -> None:
    caps = AnswerCaps.of({"a.b": {"limit": 1}, "empty.*": None})
    assert caps.cap_for("A.b") == caps.cap_for("axb") == caps.cap_for("empty.x") == Cap()


def test_of_equal_patterns_the_later_wins() -> None:
    caps = AnswerCaps.of({"a.*": {"limit": 1}}).plus(CapRule("a.*", Cap(limit=2)))
    assert caps.cap_for("a.b").limit == 2
