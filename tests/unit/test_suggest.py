"""`toolbooth.suggest`: what is similar, what is not, and names that would harm a terminal."""

import re
import tomllib
from pathlib import Path

import pytest

import toolbooth
from toolbooth.suggest import closest, did_you_mean, install_extra


@pytest.mark.parametrize(
    ("word", "found"),
    [("serch", ["search"]), ("SEARCH", ["search"]), ("read-file", ["read_file"]), ("zzz", []), ("", [])],
)
def test_the_most_similar_name_is_found(word: str, found: list[str]) -> None:
    assert closest(word, ["search", "read_file", "serve"]) == found


def test_several_come_with_the_most_similar_first_and_each_once() -> None:
    assert closest("gpt-4", ["gpt-4o", "gpt-4", "gpt-4o", "claude"], count=3) == ["gpt-4", "gpt-4o"]


def test_the_sentence_names_them_or_says_otherwise() -> None:
    assert did_you_mean("serch", ["search"], form="`toolbooth {}`") == "did you mean `toolbooth search`?"
    assert did_you_mean("aab", ["aaa", "aac"], count=2) == "did you mean aaa or aac?"
    assert did_you_mean("zzz", ["search"], "`toolbooth help` lists them") == "`toolbooth help` lists them"


def test_foreign_names_are_cleaned_and_long_words_are_cut() -> None:
    assert "\x1b" not in did_you_mean("notes", ["notes\x1b[2J"])
    assert closest("x" * 10**6, ["x" * 150]) == ["x" * 150]


@pytest.mark.promise("cli:install-advice")
def test_the_advice_to_install_an_extra_has_one_wording() -> None:
    """The extras exist, and no other file writes such a command of its own."""
    root = Path(toolbooth.__file__).parents[2]
    extras = tomllib.loads((root / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    texts = {path: path.read_text() for path in (root / "src").rglob("*.py")}
    assert [path.name for path, text in texts.items() if "pip install '" in text] == ["suggest.py"]
    named = {extra for text in texts.values() for extra in re.findall(r"install_extra\('(\w+)'\)", text)}
    assert named == {"signing", "onnx"}
    assert {*named, "anthropic", "google", "openai"} <= extras.keys()
    assert install_extra("onnx") == "pip install 'toolbooth[onnx]', or in a checkout pip install '.[onnx]'"
