"""Which places match, and which in part."""

from toolbooth.gateway.results.reading.best import best


def test_what_is_nearly_as_good_or_has_all_words_matches() -> None:
    chosen = best([0.0, 10.0, 8.5, 6.0, 6.0, 3.0, 2.0], [0, 2, 1, 2, 1, 1, 1])
    assert chosen.matching == [1, 2, 3]
    assert chosen.in_part == [4, 5]
    assert str(chosen) == "[3 places match, 2 in part]"


def test_nothing_relevant_is_nothing() -> None:
    assert best([0.0, 0.0], [0, 0]).wanted == []
    assert best([], []).wanted == []


def test_of_what_matches_in_part_a_few_are_wanted() -> None:
    chosen = best([10.0] + [5.0] * 50, [2] + [1] * 50)
    assert len(chosen.wanted) == 11
    assert str(chosen) == "[1 place matches, 50 in part]"
