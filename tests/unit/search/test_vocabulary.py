"""The pieces of a table: their rows, the words that are known, the rows of a text."""

from pathlib import Path

import orjson
import pytest

from toolbooth.search.analysis import split
from toolbooth.search.vocabulary import WordPieces, known_words, read_pieces, word_pieces

PIECES = WordPieces(
    {"pull": 0, "request": 1, "pull request": 2, "read": 3, "##er": 4, "v2": 5, "ab": 6, "##quest": 7}
)


def test_known_words_are_whole_and_of_three_letters_or_more() -> None:
    assert PIECES.known == {"pull", "request", "read"}


def test_a_phrase_has_a_row_beside_those_of_its_words() -> None:
    assert PIECES.of_text(["pull", "request"]) == [0, 1, 2]
    assert PIECES.of_text(iter(["read", "pull", "request", "reader"])) == [3, 0, 1, 3, 4, 2]


@pytest.mark.parametrize(
    "words",
    [[], ["pull"], ["request", "pull"], ["pull", "the", "request"], ["pull request"], ["pull", "requests"]],
)
def test_only_neighbours_in_order_are_a_phrase(words: list[str]) -> None:
    assert PIECES.phrases(words) == []


def test_a_phrase_counts_each_time() -> None:
    assert PIECES.phrases(["pull", "request", "pull", "request"]) == [2, 2]


def test_a_table_without_phrases_has_none() -> None:
    assert WordPieces({"pull": 0, "request": 1}).of_text(["pull", "request"]) == [0, 1]


def test_what_is_unknown_is_dropped() -> None:
    assert PIECES.of_text(["zzz", "搜索", "", "reader"]) == [3, 4]
    assert PIECES.of_word("xreader") == [4]


def test_a_folder_gives_its_pieces(tmp_path: Path) -> None:
    (tmp_path / "tokenizer.json").write_bytes(orjson.dumps({"model": {"vocab": PIECES.rows}}))
    assert read_pieces(tmp_path).rows == PIECES.rows


def test_the_table_of_the_package_numbers_its_rows_without_a_gap() -> None:
    assert sorted(word_pieces().rows.values()) == list(range(len(word_pieces().rows)))


def test_the_table_of_the_package_knows_the_words_of_the_trade_and_no_slips() -> None:
    assert {"github", "weather", "invoice", "database"} <= known_words()
    assert not {"isue", "wheather", "create_issue", "pull request", "##er"} & known_words()
    assert [word.whole for word in split("GitHub")] == ["github"]
