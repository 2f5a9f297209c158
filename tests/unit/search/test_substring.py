"""Words inside words."""

from toolbooth.search.substring import Near, Substrings

WORDS = {"postgresql", "report", "export", "read", "file", "authenticate"}


def test_a_part_of_a_word_finds_the_word() -> None:
    assert Substrings(WORDS).containing("postgres") == [Near("postgresql", 0.8)]


def test_the_shortest_word_comes_first_and_each_once() -> None:
    assert [near.word for near in Substrings(WORDS).containing("port")] == ["export", "report"]


def test_a_beginning_may_be_asked_for() -> None:
    assert [near.word for near in Substrings(WORDS).containing("auth", prefix_only=True)] == ["authenticate"]
    assert Substrings(WORDS).containing("port", prefix_only=True) == []


def test_three_letters_are_inside_everything_and_find_nothing() -> None:
    assert Substrings(WORDS).containing("por") == []


def test_two_words_written_as_one_are_told_apart() -> None:
    assert Substrings(WORDS).composing("readfile") == ("read", "file")
    assert Substrings(WORDS).composing("reading") is None


def test_an_empty_catalog_contains_nothing() -> None:
    assert Substrings(set()).containing("anything") == []
