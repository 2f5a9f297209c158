"""Text → words."""

import pytest

from toolbooth.search.analysis import flat, fold, split, squeeze, stem


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("getUserById", {"get", "user", "by", "id", "getuserbyid"}),
        ("read_file", {"read", "file"}),
        ("HTTPServer2", {"http", "server", "httpserver2"}),
        ("list-all.items/now", {"list", "all", "items", "now"}),
        ("Crème brûlée", {"creme", "brulee"}),
        ("ﬁle ＡＰＩ", {"file", "api"}),
    ],
)
def test_identifiers_and_prose_become_plain_words(text: str, words: set[str]) -> None:
    assert set(flat(text)) == words


def test_a_brand_with_a_capital_inside_stays_one_word() -> None:
    assert flat("GitHub YouTube") == ["github", "youtube"]


def test_chinese_becomes_pairs_of_characters_and_keeps_the_latin_words_between() -> None:
    assert flat("使用API搜索") == ["使用", "api", "搜索"]
    assert flat("搜索引擎") == ["搜索", "索引", "引擎"]
    assert flat("搜") == ["搜"]


@pytest.mark.parametrize("text", ["हिन्दी", "العَرَبِيَّة", "שָׁלוֹם", "Ελληνικά", "ไทย", "한국어"])
def test_a_word_of_another_script_is_not_torn_at_its_vowel_signs(text: str) -> None:
    assert all(len(word.whole) > 1 for word in split(text))


@pytest.mark.parametrize("text", ["", " ", "🙂🙂", ".*+?[](){}|^$\\", "___", "\x00"])
def test_text_without_letters_has_no_words(text: str) -> None:
    assert flat(text) == []


def test_a_run_of_letters_without_end_is_cut() -> None:
    assert flat("x" * 100_000) == ["x" * 64]


def test_forms_of_a_word_share_a_stem() -> None:
    assert stem("issues") == stem("issue")
    assert stem("running") == stem("runs") == stem("run")


def test_names_are_equal_whatever_their_case_and_separators() -> None:
    assert squeeze("read_file") == squeeze("readFile") == squeeze("Read file") == "readfile"


def test_folding_leaves_plain_text_alone() -> None:
    assert fold("abc123") == "abc123"
