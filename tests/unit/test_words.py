"""The words of the project: metaphors that were replaced by the field's own words stay away (docs/glossary.md)."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
# Each with what we say instead. Only words that have no plain meaning in this code are listed.
REPLACED = {
    r"[Hh]ouse": "runtime",
    r"[Dd]esk": "handlers",
    r"fronts": "transports",
    r"[Kk]eepers?": "pool",
    r"tapes": "recordings",
    r"purses?": "budget",
    r"parking|[Pp]arked": "suspended calls",
    r"swift|lean": "fast path",
    r"tamed?": "bound",
    r"[Ss]ide doors?": "entry point",
    r"[Ww]ires?(?! formats?\b)": "raw object, transport or MCP",  # the wire format of a provider is meant
    r"[Tt]roubles?": "source error or problem",
    r"loosen(?:s|ed|ing)?": "relax",
    r"wish(?:es)?(?! list)": "request, options or question",
    r"surroundings": "host context",
    r"(?<!dual_)(?<!protocol-)(?<!\|)eras?": "protocol version",  # the SDK and the inspector have it in their names
    r"own[ _]resources?|(?<!y)our[ _]own[ _]tools?": "built-in resources, built-in tools",
    r"unless_told|unless: told": "unless_shown",
    r"Street": "a fixture named after what it holds",
    r"kept out": "redacted, held out or not returned",
}
PLACES = (
    "src",
    "tests",
    "scripts",
    "training",
    "docs",
    "examples",
    "README.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "CHANGELOG.md",
    "Makefile",
    "action.yml",
    ".pre-commit-hooks.yaml",
)
ENDINGS = {".py", ".md", ".yaml", ".yml", ".toml", ".html", ".sql", ""}
DATA = {
    "words",
    "data",
    "exams",
    "catalogs",
    "text",
    "texts",
    "demo",
}  # texts about the world, and word lists
HERE = Path(__file__)


def files() -> list[Path]:
    found = []
    for place in map(ROOT.joinpath, PLACES):
        found += [place] if place.is_file() else sorted(place.rglob("*"))
    return [
        path
        for path in found
        if path.is_file()
        and path.suffix in ENDINGS
        and path != HERE
        and not DATA & {*path.relative_to(ROOT).parts}
    ]


def test_a_call_has_a_record() -> None:
    """Elsewhere `account` is the account of a user at a service."""
    for path in (ROOT / "src/toolbooth/gateway/calls").glob("*.py"):
        assert not re.search(r"\baccounts?\b(?! for)", path.read_text(encoding="utf-8")), path


def test_there_are_files_to_read() -> None:
    assert len(files()) > 500


@pytest.mark.parametrize("word", REPLACED)
def test_a_replaced_word_stays_away(word: str) -> None:
    pattern = re.compile(
        rf"(?<![A-Za-z])(?:{word})(?![A-Za-z])|(?<![a-z])(?:{word})(?=_)|(?<=_)(?:{word})(?![a-z])"
    )
    found = []
    for path in files():
        text = path.read_text(encoding="utf-8", errors="replace")
        if path.name == "CHANGELOG.md":  # it says which old names, in backquotes, were renamed
            text = re.sub(r"`[^`\n]*`", "", text)
        lines = text.splitlines()
        names = [f"{path.relative_to(ROOT)}: {path.name}"] * bool(pattern.search(path.stem))
        found += names + [
            f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
            for number, line in enumerate(lines, 1)
            if pattern.search(line)
        ]
    assert not found, f"say {REPLACED[word]}"
