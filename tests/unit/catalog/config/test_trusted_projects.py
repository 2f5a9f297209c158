"""What is trusted is kept by place and exact content, and by nothing that could be read the wrong way."""

import json
from pathlib import Path

import pytest

from toolbooth.catalog.config import ProjectConfig, TrustedProjects
from toolbooth.catalog.config.config_file import parse_bytes
from toolbooth.catalog.config.trusted_projects import project_config
from toolbooth.errors import ConfigError
from toolbooth.limits import MAX_TRUSTED_PROJECTS


@pytest.fixture
def store(tmp_path: Path) -> TrustedProjects:
    return TrustedProjects(tmp_path / "data")


def config(path: Path, command: str = "x") -> ProjectConfig:
    data = json.dumps({"mcpServers": {"a": {"command": command}}}).encode()
    return project_config(parse_bytes(path, data), data, {}, path.parent)


def test_one_content_at_one_place_is_trusted_and_no_other(store: TrustedProjects, tmp_path: Path) -> None:
    here = tmp_path / ".mcp.json"
    assert not store.holds(config(here))
    store.add(config(here))
    assert store.holds(config(here))
    assert not store.holds(config(here, "y"))
    assert not store.holds(config(tmp_path / "other" / ".mcp.json"))


def test_a_folder_has_one_spelling(store: TrustedProjects, tmp_path: Path) -> None:
    (tmp_path / "project").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "project")
    store.add(config(tmp_path / "link" / ".mcp.json"))
    assert store.holds(config(tmp_path / "project" / ".mcp.json"))


def test_earlier_contents_stay_trusted_up_to_a_number(
    store: TrustedProjects, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert MAX_TRUSTED_PROJECTS > 2
    monkeypatch.setattr("toolbooth.limits.MAX_TRUSTED_PROJECTS", 2)
    here = tmp_path / ".mcp.json"
    for command in "abc":
        store.add(config(here, command))
    assert [store.holds(config(here, command)) for command in "abc"] == [False, True, True]


def test_forgetting_takes_a_file_or_all_below_a_folder(store: TrustedProjects, tmp_path: Path) -> None:
    for name in ("one", "two"):
        store.add(config(tmp_path / name / ".mcp.json"))
    assert store.forget(tmp_path / "one" / ".mcp.json") == 1
    assert store.forget(tmp_path / "one") == 0
    assert store.forget(tmp_path) == 1
    assert store.all() == ()


@pytest.mark.parametrize(
    "text", ["", "[]", "{", '{"format": "toolbooth-trusted-projects", "version": 2, "trusted": []}']
)
def test_a_damaged_or_newer_file_trusts_nothing_and_is_not_written_over(
    store: TrustedProjects, tmp_path: Path, text: str
) -> None:
    store.path.parent.mkdir()
    store.path.write_text(text)
    store.path.chmod(0o600)
    for work in (store.all, lambda: store.add(config(tmp_path / ".mcp.json"))):
        with pytest.raises(ConfigError):
            work()
    assert store.path.read_text() == text
