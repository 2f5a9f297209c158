"""References in strings get their values, once, or name what is missing."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from toolbooth.catalog.config.variables import (
    EnvFileUnreadable,
    Reference,
    Scope,
    Unresolved,
    expand,
    read_env_file,
    references,
)

HOME, WORK = Path("/home/me"), Path("/home/me/projects/app")
ENVIRON = {"TOKEN": "s3cret", "EMPTY": "", "LOOP": "${TOKEN}", "API_KEY": "k", "GIT-HUB": "g"}
SCOPE = Scope(ENVIRON, HOME, WORK, inputs={"region": "eu", "asked": None})
GEMINI = Scope(ENVIRON, HOME, WORK, bare_dollar=True)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Bearer ${TOKEN}", "Bearer s3cret"),
        ("${TOKEN}${TOKEN}", "s3crets3cret"),
        ("${env:TOKEN}", "s3cret"),
        ("${NONE:-fall back}", "fall back"),
        ("${NONE:-}", ""),
        ("${env:NONE:-https://x/y}", "https://x/y"),
        ("${TOKEN:-other}", "s3cret"),
        ("${EMPTY:-other}", ""),
        ("${NONE:-${TOKEN}}", "s3cret"),
        ('${NONE:-{"a": 1}}', '{"a": 1}'),
        ("${LOOP}", "${TOKEN}"),
        ("${workspaceFolder}/x", "/home/me/projects/app/x"),
        ("${workspaceFolder:app}", "/home/me/projects/app"),
        ("${workspaceFolderBasename}", "app"),
        ("${userHome}${/}x${pathSeparator}y", "/home/me/x/y"),
        ("${CLAUDE_PROJECT_DIR:-.}", "/home/me/projects/app"),
        ("${input:api-key}", "k"),
        ("${input:git-hub}", "g"),
        ("${input:region}", "eu"),
    ],
)
def test_references_are_replaced(text: str, value: str) -> None:
    assert expand(text, SCOPE) == value


@pytest.mark.parametrize(
    "text", ["$TOKEN", "%TOKEN%", "$", "${", "${}", "${a%b}", "${x/y/z}", "$1", "a$$b", "${1}"]
)
def test_what_is_no_reference_stays(text: str) -> None:
    assert expand(text, SCOPE) == text


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("$TOKEN", "s3cret"),
        ("Bearer $TOKEN!", "Bearer s3cret!"),
        ("p4$$word", "p4$$word"),
        ("a$B", "a$B"),
        ("$1", "$1"),
    ],
)
def test_gemini_also_knows_bare_dollars(text: str, value: str) -> None:
    assert expand(text, GEMINI) == value


@pytest.mark.parametrize(
    ("text", "scope", "says"),
    [
        ("x ${NONE}", SCOPE, "environment variable NONE"),
        ("${env:NONE}", SCOPE, "environment variable NONE"),
        ("Bearer $NONE", GEMINI, "environment variable NONE"),
        ("${input:asked}", SCOPE, "input asked; set the environment variable ASKED"),
        ("${input:my-token}", SCOPE, "set the environment variable MY_TOKEN"),
        ("${command:pick}", SCOPE, "editor's own variable pick"),
        ("${file:/none/such}", SCOPE, "text file"),
        ("${NONE:-${NEITHER}}", SCOPE, "environment variable NEITHER"),
    ],
)
def test_a_missing_value_is_named(text: str, scope: Scope, says: str) -> None:
    with pytest.raises(Unresolved, match=says):
        expand(text, scope)


def test_windsurf_reads_a_value_from_a_file(tmp_path: Path) -> None:
    (tmp_path / "token").write_text("s3cret\n")
    assert expand(f"Bearer ${{file:{tmp_path}/token}}", SCOPE) == "Bearer s3cret"


def test_a_scope_never_shows_its_values() -> None:
    assert "s3cret" not in repr(SCOPE)
    assert "eu" not in repr(SCOPE)


class Watched(Mapping[str, str]):
    """An environment that notes which of its variables were read."""

    def __init__(self) -> None:
        self.read: set[str] = set()

    def __getitem__(self, name: str) -> str:
        self.read.add(name)
        return ENVIRON[name]

    def __iter__(self) -> Iterator[str]:
        return iter(ENVIRON)

    def __len__(self) -> int:
        return len(ENVIRON)

    def __contains__(self, name: object) -> bool:
        return name in ENVIRON


@pytest.mark.parametrize("bare_dollar", [False, True])
@pytest.mark.parametrize(
    "text",
    [
        "${TOKEN} $API_KEY ${NONE:-${TOKEN}}",
        "${env:GIT-HUB:-x} ${input:git-hub} ${input:api-key}",
        "a$TOKEN ${EMPTY:-${LOOP}} ${LOOP}",
    ],
)
def test_references_name_at_least_what_expanding_reads(text: str, bare_dollar: bool) -> None:
    watched = Watched()
    scope = replace(SCOPE, environ=watched, bare_dollar=bare_dollar)
    named = {each.name for each in references(text, scope)}
    assert not watched.read
    assert expand(text, replace(scope, literal=True)) == text
    assert not watched.read
    expand(text, scope)
    assert watched.read
    assert watched.read <= named


def test_references_name_files() -> None:
    found = list(references("${file:~/.ssh/id_rsa} ${X:-${file:b}} ${config:c} ${command:d}", SCOPE))
    assert found == [Reference("file", "~/.ssh/id_rsa"), Reference("variable", "X"), Reference("file", "b")]


def test_the_usual_forms_are_read(tmp_path: Path) -> None:
    path = tmp_path / ".env"
    path.write_text(
        '# comment\n\nA=1\nexport B = two words # said\nC="x \\"y\\"\\nz"\nD=\'a # b\'\nE=\nF=a#b\nnot a line\n'
    )
    assert read_env_file(path) == {
        "A": "1", "B": "two words", "C": 'x "y"\nz', "D": "a # b", "E": "", "F": "a#b",
    }  # fmt: skip


@pytest.mark.parametrize("content", [None, b"A=\xff"])
def test_an_unreadable_file_is_said_without_its_content(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / ".env"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(EnvFileUnreadable, match="envFile cannot be read"):
        read_env_file(path)
