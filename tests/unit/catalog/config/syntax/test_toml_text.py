"""TOML faults keep their place."""

import pytest

from toolbooth.catalog.config.syntax import SyntaxFault
from toolbooth.catalog.config.syntax.toml_text import parse_toml


def test_a_broken_line_is_named() -> None:
    with pytest.raises(SyntaxFault, match="broken TOML") as caught:
        parse_toml('[mcp_servers.a]\ncommand = "npx"\nargs = [1 2]\n')
    assert (caught.value.line, caught.value.column) == (3, 11)
    assert "line" not in caught.value.reason


def test_an_unclosed_end_is_placed_at_the_end() -> None:
    with pytest.raises(SyntaxFault) as caught:
        parse_toml("a = 1\nb = [1,")
    assert caught.value.line == 2


def test_a_number_with_too_many_digits_is_refused() -> None:
    with pytest.raises(SyntaxFault):
        parse_toml("a = " + "9" * 5000)
