"""Groups of lines."""

from toolbooth.gateway.results.lines import Lines
from toolbooth.gateway.results.reading.groups import Groups
from toolbooth.limits import RESULT_LINE


def test_groups_are_numbered_as_the_lines_are() -> None:
    text = "a\n\nb\n" + "c" * 3 * RESULT_LINE + "\nd\ne"
    lines = Lines(text)
    for each in (1, 2, 3, 100):
        groups = Groups(text, each)
        assert "".join(groups.texts) == text
        assert all(lines.part(*groups[at][:2]) == groups[at].text for at in range(len(groups)))
        assert sum(groups[at].lines for at in range(len(groups))) == len(lines)


def test_very_many_lines_are_in_larger_groups() -> None:
    groups = Groups("a\n" * 1_000_000)
    assert groups.lines == 4
    assert groups[3].start == 13
    assert not len(Groups(""))
