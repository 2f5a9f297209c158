"""Misspelled words are repaired, and words inside words are found."""

import pytest

from toolbooth.search.unknown_words import Near, Repair, Repairer, Substrings, allowed_distance, is_known

WORDS = {
    "issue": 9,
    "create": 8,
    "delete": 7,
    "repository": 6,
    "weather": 5,
    "search": 4,
    "kubectl": 3,
    "zero": 2,
}
COMPOSED = {"postgresql", "report", "export", "read", "file", "authenticate"}


@pytest.mark.parametrize(("length", "letters"), [(3, 1), (4, 1), (5, 2), (12, 2), (13, 3), (30, 3)])
def test_longer_words_may_hold_more_slips(length: int, letters: int) -> None:
    assert allowed_distance(length) == letters


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("isue", "issue"),
        ("cerate", "create"),
        ("delte", "delete"),
        ("repositry", "repository"),
        ("reposittorry", "repository"),
        ("wether", "weather"),
        ("serach", "search"),
        ("kubctl", "kubectl"),
    ],
)
def test_a_slip_is_repaired(typed: str, meant: str) -> None:
    repair = Repairer(WORDS).repair(typed)
    assert repair is not None
    assert repair.word == meant


@pytest.mark.parametrize(
    "word", ["Xero".lower(), "socket", "weathers", "untracked", "layover", "zapier", "the"]
)
def test_a_word_of_the_language_is_no_slip(word: str) -> None:
    assert Repairer({**WORDS, "tracked": 5, "sockets": 3}).repair(word) is None or not is_known(word)


@pytest.mark.parametrize("word", ["xqzvw", "a", "", "ab", "k8s", "工具", "🙂"])
def test_what_is_near_nothing_stays(word: str) -> None:
    assert Repairer(WORDS).repair(word) is None


def test_a_word_the_catalog_lacks_is_repaired_to_the_languages() -> None:
    assert Repairer({}).repair("docment") == Repair("document", 1)


def test_a_name_is_repaired_only_when_one_slip_away() -> None:
    repairer = Repairer({"github": 3, "rover": 1})
    assert repairer.repair("githb", proper=True) == Repair("github", 1)
    assert repairer.repair("rmvar", proper=True) is None


def test_of_two_words_as_near_the_commoner_is_meant() -> None:
    assert Repairer({"zzfile": 1, "zzfine": 5}).repair("zzfixe") == Repair("zzfine", 1)


def test_a_part_of_a_word_finds_the_word() -> None:
    assert Substrings(COMPOSED).containing("postgres") == [Near("postgresql", 0.8)]


def test_the_shortest_word_comes_first_and_each_once() -> None:
    assert [near.word for near in Substrings(COMPOSED).containing("port")] == ["export", "report"]


def test_a_beginning_may_be_asked_for() -> None:
    assert [near.word for near in Substrings(COMPOSED).containing("auth", prefix_only=True)] == [
        "authenticate"
    ]
    assert Substrings(COMPOSED).containing("port", prefix_only=True) == []


def test_three_letters_are_inside_everything_and_find_nothing() -> None:
    assert Substrings(COMPOSED).containing("por") == []


def test_two_words_written_as_one_are_told_apart() -> None:
    assert Substrings(COMPOSED).composing("readfile") == ("read", "file")
    assert Substrings(COMPOSED).composing("reading") is None


def test_an_empty_catalog_contains_nothing() -> None:
    assert Substrings(set()).containing("anything") == []
