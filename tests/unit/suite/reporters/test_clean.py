"""No word of a report is a command to a build system."""

import pytest

from toolbooth.suite.reporters.clean import clean


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("::error::x", ": :error::x"),
        ("a ::SET-OUTPUT name=x::y", "a : :SET-OUTPUT name=x::y"),
        ("##[error]x", "# #[error]x"),
        ("##vso[task.setvariable]x", "# #vso[task.setvariable]x"),
        ("##teamcity[x]", "# #teamcity[x]"),
        ("std::vector::push", "std::vector::push"),
        ("## heading", "## heading"),
        ("\x1b[2J\n::error::x", ": :error::x"),
    ],
)
def test_commands_are_taken_apart_and_all_else_stays(text: str, shown: str) -> None:
    assert clean(text) == shown
