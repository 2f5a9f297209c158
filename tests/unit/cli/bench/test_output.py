"""The command in a report can be repeated, and tells no secret."""

import pytest

from toolbooth.cli.bench.output import redacted_command

SECRET = "s3cr3t-value-1"


@pytest.mark.parametrize(
    ("words", "reported"),
    [
        (["bench", "--only", "tokens", "--out", "a b"], "toolbooth bench --only tokens --out 'a b'"),
        (
            ["bench", "live", "http://h", "--key-env", "MY_KEY"],
            "toolbooth bench live http://h --key-env MY_KEY",
        ),
        (["bench", "tokens", "--", "npx", "-y", "x@1.0.0"], "toolbooth bench tokens -- npx -y x@1.0.0"),
        (["-q", "tests"], ""),
    ],
)
def test_what_was_typed_can_be_typed_again(words: list[str], reported: str) -> None:
    assert redacted_command(words) == reported


@pytest.mark.parametrize(
    "words",
    [
        ["live", "http://h", "--key", SECRET],
        ["live", "http://h", f"--key={SECRET}"],
        ["live", f"http://me:{SECRET}@h/mcp"],
        ["live", f"http://me:p%40{SECRET}@h/mcp"],
        ["tokens", f"https://h/mcp?token={SECRET}"],
        ["tokens", f"https://h/mcp?x=%41{SECRET}"],
        ["tokens", "--", "npx", "x", "--api-key", SECRET],
        ["tokens", "--", "npx", "x", f"--api-key={SECRET}"],
        ["tokens", "--", "env", f"API_TOKEN={SECRET}", "npx", "x"],
    ],
)
def test_no_secret_is_reported(words: list[str]) -> None:
    reported = redacted_command(["bench", *words])
    assert SECRET not in reported
    assert "•••" in reported


def test_a_short_key_is_hidden_and_no_other_word_suffers() -> None:
    assert (
        redacted_command(["bench", "live", "http://h", "--key", "h"])
        == "toolbooth bench live http://h --key '•••'"
    )
