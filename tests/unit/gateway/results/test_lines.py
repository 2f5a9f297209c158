"""The lines of a text, by number."""

from toolbooth.gateway.results.lines import LineGroups, Lines, fitting, size
from toolbooth.limits import RESULT_LINE


def test_lines_joined_are_the_text_again() -> None:
    text = "a\n\nb" + "c" * (RESULT_LINE * 2) + "\n" + "d" * RESULT_LINE + "\n\u2028e"
    lines = Lines(text)
    assert "".join(lines.part(number, 1) for number in range(1, len(lines) + 1)) == text
    assert lines.part(1, len(lines)) == text
    assert lines.part(len(lines) + 1, 5) == ""
    assert len(Lines("")) == 0


def test_one_endless_line_has_many_numbers() -> None:
    lines = Lines("x" * 10 * RESULT_LINE)
    assert len(lines) == 10
    assert lines.breaks_after(3)
    assert not lines.breaks_after(10)


def test_letters_of_several_bytes_count_as_such() -> None:
    assert size("é\ud800") == 5
    assert fitting("é" * 10, 5) == 2
    assert Lines("é\n" * 10).fitting_head(7) == 2


def test_groups_are_numbered_as_the_lines_are() -> None:
    text = "a\n\nb\n" + "c" * 3 * RESULT_LINE + "\nd\ne"
    lines = Lines(text)
    for each in (1, 2, 3, 100):
        groups = LineGroups(text, each)
        assert "".join(groups.texts) == text
        assert all(lines.part(*groups[at][:2]) == groups[at].text for at in range(len(groups)))
        assert sum(groups[at].lines for at in range(len(groups))) == len(lines)


def test_very_many_lines_are_in_larger_groups() -> None:
    groups = LineGroups("a\n" * 1_000_000)
    assert groups.lines == 4
    assert groups[3].start == 13
    assert not len(LineGroups(""))
