"""The documents say only what is there: paths exist, commands run."""

import re
from pathlib import Path

import pytest

from toolbooth.catalog.config import read_config
from toolbooth.cli.arguments import cut_command
from toolbooth.cli.doctor import parser
from toolbooth.cli.main import VERBS

ROOT = Path(__file__).parents[2]


def test_every_path_of_the_ten_second_map_exists() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    rows = [line for line in text.splitlines() if line.startswith("| ") and "`src/" in line]
    assert len(rows) >= 15
    for row in rows:
        paths = re.findall(r"`(src/[^`]+)`", row)
        assert paths
        for path in paths:
            assert (ROOT / path).exists(), f"{path} stands in CONTRIBUTING.md and is not there"


def test_paths_named_in_the_other_documents_exist() -> None:
    for name in ("README.md", "SECURITY.md", "CONTRIBUTING.md"):
        text = (ROOT / name).read_text(encoding="utf-8")
        for path in re.findall(r"`((?:src|tests|docs|scripts)/[\w./-]+)`", text):
            assert (ROOT / path).exists(), f"{path} stands in {name} and is not there"


def test_no_file_names_this_machine_or_a_registry() -> None:
    for file in ROOT.glob("*"):
        if file.is_file() and file.suffix in ("", ".md", ".toml", ".txt"):
            text = file.read_text(encoding="utf-8")
            assert not re.search(r"(registry\.npmjs|pypi\.org/simple|/root/|/home/\w+/)", text), file.name


def fenced(language: str) -> list[str]:
    return re.findall(
        rf"```{language}\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL
    )


def test_the_python_of_the_readme_runs(capsys: pytest.CaptureFixture[str]) -> None:
    (example,) = fenced("python")
    exec(compile(example, "README.md", "exec"), {})  # noqa: S102 - our own document is under test
    total, any_text = capsys.readouterr().out.split()
    assert (int(total), int(any_text)) == (10, 2)


def test_every_command_of_the_readme_parses() -> None:
    commands = [line.split("#")[0].split() for block in fenced("sh") for line in block.splitlines()]
    ours = [words for words in commands if words and words[0] == "toolbooth"]
    assert len(ours) >= 5
    for _, verb, *rest in ours:
        assert verb in VERBS
        if verb == "doctor":
            parser().parse_args(cut_command(rest).options)


def test_every_option_of_doctor_stands_in_the_readme() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    options = {
        flag for action in parser()._actions for flag in action.option_strings if flag.startswith("--")
    }
    assert options - {"--help"} <= set(re.findall(r"--[a-z-]+", text))


def test_the_toolbooth_yaml_of_the_readme_is_read(tmp_path: Path) -> None:
    example = next(block for block in fenced("yaml") if block.startswith("servers:"))
    path = tmp_path / "toolbooth.yaml"
    path.write_text(example)
    config = read_config(path, {"GITHUB_TOKEN": "x"})
    assert [spec.name for spec in config.servers] == ["github"]
    assert config.answer_caps.cap_for("github.list_issues").max_bytes == 14_000


def test_make_has_the_words_that_the_readme_uses() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for word in ("demo", "test", "check", "bench"):
        assert f"\n{word}:" in makefile
