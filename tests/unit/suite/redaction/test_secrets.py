"""A suite's own patterns take out whole words, or lines where they span words, and nothing is left that fits."""

import pytest

from toolbooth.errors import ConfigError
from toolbooth.suite.redaction.secrets import SuitePattern


@pytest.mark.parametrize(
    ("pattern", "text", "left"),
    [
        (r"CUST-\d+", "about CUST-17, and CUST-18.\nfine", "about #, and #\nfine"),
        (r"CUST-\d+", '{"id":"CUST-17","n":1}', '{"id":"#","n":1}'),
        (r"CUST-\d+", "https://a.example/?id=CUST-17&x=1", "https://a.example/?id=#&x=1"),
        (r"top secret", "this is top secret\r\nthis is not", "#\r\nthis is not"),
        (r"^\d{4}$", "1234\nin 1234", "#\nin 1234"),
        (r"nothing", "as it was", "as it was"),
        (r".", "all of it\n\nall", "#\n\n#"),
    ],
)
def test_words_and_lines_go(pattern: str, text: str, left: str) -> None:
    assert SuitePattern(pattern).without(text, "#") == left


@pytest.mark.parametrize("pattern", ["(", "(?=x)", r"(a)\1", "[z-a]", "a{99999999}", "x*"])
def test_a_pattern_that_cannot_be_used_is_one_line(pattern: str) -> None:
    with pytest.raises(ConfigError, match="redact pattern") as caught:
        SuitePattern(pattern)
    assert "\n" not in str(caught.value)


def test_a_pattern_that_makes_others_backtrack_does_not() -> None:
    assert SuitePattern(r"^(a+)+$").without("a" * 100_000 + "!", "#") == "a" * 100_000 + "!"
