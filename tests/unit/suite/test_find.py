"""Which files are suites."""

from pathlib import Path

import pytest

from toolbooth.errors import ConfigError, NothingSelected
from toolbooth.suite.find import find_suites


def touch(folder: Path, *names: str) -> None:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).touch()


def found(folder: Path, *named: str) -> list[str]:
    return [path.relative_to(folder).as_posix() for path in find_suites(named, folder)]


def test_all_suites_here_and_below_but_not_in_foreign_folders(tmp_path: Path) -> None:
    touch(tmp_path, "a.toolbooth.yaml", "deep/er/b.toolbooth.yaml", "c.yaml", "toolbooth.yaml")
    touch(tmp_path, "node_modules/d.toolbooth.yaml", ".venv/e.toolbooth.yaml", "venv/f.toolbooth.yaml")
    assert found(tmp_path) == ["a.toolbooth.yaml", "deep/er/b.toolbooth.yaml"]


def test_a_named_file_may_be_called_anything_and_counts_once(tmp_path: Path) -> None:
    touch(tmp_path, "suite.yaml", "x/a.toolbooth.yaml")
    assert found(tmp_path, "suite.yaml", "x", "x/a.toolbooth.yaml") == ["suite.yaml", "x/a.toolbooth.yaml"]


def test_a_name_that_is_not_there_is_a_mistake_and_an_empty_folder_selects_nothing(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no such file"):
        find_suites(["gone.yaml"], tmp_path)
    with pytest.raises(NothingSelected, match="toolbooth init"):
        find_suites([], tmp_path)
