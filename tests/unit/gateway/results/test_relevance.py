"""How relevant the parts of one text are to a query."""

import pytest
from hypothesis import given, strategies as st

from toolbooth.gateway.results.relevance import case_folded, scores


def best(query: str, parts: list[str]) -> int:
    found = scores(query, parts)
    return max(range(len(parts)), key=found.__getitem__)


def test_what_holds_no_word_of_the_query_has_no_relevance() -> None:
    assert scores("timeout", ["the disk is full", "", "a connection timed out after a timeout"])[:2] == [
        0.0,
        0.0,
    ]
    assert scores("timeout", []) == []
    assert scores("", ["a", "b"]) == [0.0, 0.0]
    assert scores("?!", ["a", "b"]) == [0.0, 0.0]


def test_a_rare_word_weighs_more_than_a_common_one() -> None:
    parts = ["server error", "server started", "server stopped", "server error", "server deadlock"]
    assert best("server deadlock error", parts) == 4


def test_more_words_of_the_query_are_better_than_one_of_them_often() -> None:
    parts = ["invoice invoice invoice invoice", "the invoice is overdue", "nothing"]
    assert best("overdue invoice", parts) == 1


def test_of_equal_matches_the_shorter_part_is_a_little_better() -> None:
    short, long = scores("apple", ["an apple", "an apple " + "and a pear " * 50])
    assert short > long > short / 3


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("policies", "the policy of this firm"),
        ("policy", "all POLICIES"),
        ("hope", "hoping for it"),
        ("going", "Go there"),
        ("user", "getUserById(7)"),
        ("user id", "user_id: 7"),
        ("server", "HTTPServer"),
        ("http", "HTTPServer"),
        ("server", "server42 is up"),
        ("userId", "the userids of all"),
        ("ORD-1234", "order ORD-1234 was sent"),
        ("cafe", "le Café du coin"),
        ("Café", "a cafe"),
        ("istanbul", "\u0130stanbul"),
        ("数据库", "连接数据库失败"),
        ("ошибка", "Ошибка соединения"),
        ("sha256", "sha256 of the file"),
        ("authent", "authentication failed"),
        ("the", "the"),
    ],
)
def test_words_are_found_in_all_their_forms(query: str, text: str) -> None:
    found = scores(query, ["nothing of that kind", text, "7 other things"])
    assert found[1] > 0
    assert found[0] == found[2] == 0


@pytest.mark.parametrize(
    ("query", "text"), [("cat", "concatenate"), ("12", "120"), ("2", "42"), ("art", "start"), ("кот", "скот")]
)
def test_a_word_inside_another_is_no_match(query: str, text: str) -> None:
    assert scores(query, [text, "something else"]) == [0.0, 0.0]


def test_longer_words_count_only_where_the_text_has_not_the_word_itself() -> None:
    assert scores("auth", ["authentication", "auth"])[0] == 0
    assert scores("auth", ["authentication", "other"])[0] > 0


def test_letters_whose_fold_has_another_length_shift_nothing() -> None:
    found = scores("needle", ["ß\u0130ﬁ" * 100, "ẞ\u0130 needle", "ﬀ"])
    assert [bool(each) for each in found] == [False, True, False]


def test_in_very_many_parts_a_word_of_nearly_all_counts_only_if_it_is_alone() -> None:
    parts = [f"{number} served by a server" for number in range(30_000)]
    assert best("server 17123", parts) == 17_123
    found = scores("server 17123", parts)
    assert sum(map(bool, found)) == 1
    assert all(scores("server", parts))
    assert all(scores("server 99999", parts))


def test_case_and_accents_are_gone() -> None:
    assert case_folded("Grüße, ÉCOLE, Ｆull") == "gruße, ecole, full"
    assert case_folded("PLAIN") == "plain"


def test_many_different_letters_are_folded_as_few_are() -> None:
    letters = "".join(map(chr, range(0xC0, 0x180)))
    assert case_folded(letters) == "".join(map(case_folded, letters))


@given(st.text() | st.text("İßﬁéǅ \ud800"))
def test_every_offset_of_the_folded_copy_is_the_same_offset_of_the_text(text: str) -> None:
    assert len(case_folded(text)) == len(text)
