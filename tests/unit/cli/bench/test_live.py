"""Calls of `toolbooth bench live` that cannot work are refused before anything is reached."""

from pathlib import Path

import pytest

from toolbooth.cli.bench.live import run
from toolbooth.errors import UserMistake

NOBODY = "http://127.0.0.1:9"


@pytest.mark.promise("bench:live-refused")
@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        ((), "name one endpoint"),
        ((NOBODY, "--", "x"), "name one endpoint"),
        (("--", "some-server"), "a command needs --adapter"),
        (("ftp://x",), "must begin with http://"),
        (("http://",), "has no host"),
        (("http://[::1",), "an invalid host"),
        (("http://a b/",), "contains a blank"),
        (("http://host:99999/",), "not a number from 1 to 65535"),
        ((NOBODY, "--adapter", "fastmcp"), r"did you mean fastmcp-search\?"),
        ((NOBODY, "--key", "x", "--key-env", "Y"), "choose one of --key and --key-env"),
        ((NOBODY, "--key-env", "NOT_SET"), "'NOT_SET' is not set"),
        ((NOBODY, "--key", " "), "the key is blank"),
        ((NOBODY, "--key", "a\nb"), "characters that are not allowed in a header; check the variable"),
        ((NOBODY, "--key", "schlüssel"), "characters that are not allowed in a header; check the variable"),
        (("--adapter", "passthrough", "--key", "x", "--", "y"), "a key needs a URL"),
        ((NOBODY, "--golden", "none.json"), "none.json"),
        ((NOBODY, "--corpus", "none.json"), "none.json"),
        ((NOBODY, "--encoding", "nonsense"), "nonsense"),
        ((NOBODY, "--timeout", "0"), "not a number of seconds"),
    ],
)
def test_a_wrong_call_says_what_to_do(
    words: tuple[str, ...], wanted: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("TOOLBOOTH_KEY", raising=False)
    with pytest.raises(UserMistake, match=wanted):
        run(words)


def test_a_blank_key_in_the_variable_does_not_mean_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOOLBOOTH_KEY", "")
    with pytest.raises(UserMistake, match="the key is blank"):
        run([NOBODY])
