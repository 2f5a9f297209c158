"""The drawn tree in errors.py is the real one, and every error is one line."""

import re

from toolbooth import errors
from toolbooth.errors import EXIT_CODES, BackendFault, ConfigError, ToolboothError, UserMistake


def all_errors(root: type[ToolboothError] = ToolboothError) -> set[type[ToolboothError]]:
    return {root}.union(
        *(all_errors(each) for each in root.__subclasses__() if each.__module__ == errors.__name__)
    )


def test_the_drawing_at_the_top_names_every_error() -> None:
    drawn = set(re.findall(r"[├└]── (\w+)", errors.__doc__ or ""))
    assert drawn == {each.__name__ for each in all_errors()} - {"ToolboothError"}


def test_every_exit_code_is_in_the_table() -> None:
    codes = {each.exit_code for each in all_errors()}
    assert codes | {0, 130} == set(EXIT_CODES)


def test_user_mistakes_and_faults_have_different_exit_codes() -> None:
    assert UserMistake.exit_code == 2
    assert BackendFault.exit_code == 3


def test_a_config_error_names_file_line_and_column() -> None:
    assert str(ConfigError("a comma is missing", "mcp.json", 3, 7)) == "mcp.json:3:7: a comma is missing"
    assert str(ConfigError("empty", "mcp.json")) == "mcp.json: empty"
    assert str(ConfigError("empty")) == "empty"
