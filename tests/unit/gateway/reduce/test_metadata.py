"""The one line about what is shown."""

from toolbooth.gateway.reduce.metadata import metadata
from toolbooth.tokens import count

REF = "r" * 22


def test_it_says_sizes_tokens_the_ratio_and_the_ref() -> None:
    before, after = "word " * 5_000, "word " * 500
    line = metadata([before], [after], [REF], [])
    assert line.startswith(
        f"[2.4 KB of 24.4 KB, {count(after):,} of {count(before):,} tokens shown, 89% less"
    )
    assert f"read_result(ref='{REF}'" in line
    assert "\n" not in line


def test_notes_come_first() -> None:
    assert metadata(["a"], ["a"], [REF], ["none of these fields is there"]).startswith(
        "[none of these fields is there; 1 bytes of 1 bytes"
    )


def test_where_nothing_was_cut_only_the_notes_are_said() -> None:
    assert metadata(["a"], ["a"], [], ["none of these fields is there"]) == "[none of these fields is there]"


def test_every_ref_is_named() -> None:
    line = metadata(["a" * 99, "b" * 99], ["a", "b"], ["x" * 22, "y" * 22], [])
    assert "x" * 22 in line
    assert "y" * 22 in line


def test_an_empty_answer_is_no_fault() -> None:
    assert metadata([], [], [], [])
