"""Server names fit into `server.tool`."""

import pytest

from toolbooth.catalog.config.names import clean_name, free_name


@pytest.mark.parametrize(
    ("raw", "name"),
    [
        ("github", "github"),
        ("my.server", "my_server"),
        ("io.github.me/thing", "io_github_me-thing"),
        ("  GitHub (work) ", "GitHub-work"),
        ("a\t\n b", "a-b"),
        ("a\x1b[31m\u202eb", "a-31m-b"),
        ("@scope/pkg_1", "@scope-pkg_1"),
        ("werkzeug-größe", "werkzeug-größe"),
        ("天気", "天気"),
        ("*?[x]", "x"),
        ("...", "___"),
        (" / ", ""),
        ("", ""),
    ],
)
def test_names_are_cleaned(raw: str, name: str) -> None:
    assert clean_name(raw) == name
    assert clean_name(name) == name


def test_a_taken_name_gets_a_number() -> None:
    assert free_name("a", set()) == "a"
    assert free_name("a", {"a", "a-2"}) == "a-3"
