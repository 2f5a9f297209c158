"""A folder of scripts as tools of the gateway."""

from pathlib import Path

import pytest

from toolbooth.gateway.saved_scripts import SavedScripts

HELLO = '"""Says hello."""\nasync def main(who: str): return f"hello {who}"\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "scripts"
    made.mkdir()
    (made / "hello.py").write_text(HELLO)
    return made


def test_scripts_are_tools_of_a_server_of_their_own(folder: Path) -> None:
    scripts = SavedScripts(folder)
    offered = scripts.offered([])
    assert offered is not None
    (tool,) = offered.tools
    assert (tool.id, tool.description) == ("scripts.hello", "Says hello.")
    script = scripts.get(tool)
    assert script is not None
    assert script.source({"who": "Ada"}).endswith("await main(**{'who': 'Ada'})\n")


def test_a_server_that_is_called_scripts_keeps_its_name(folder: Path) -> None:
    scripts = SavedScripts(folder)
    offered = scripts.offered(["scripts"])
    assert offered is not None
    assert offered.server == "saved_scripts"
    assert scripts.offered(["scripts", "saved_scripts"]) is None


def test_a_change_is_seen_once(folder: Path) -> None:
    scripts = SavedScripts(folder)
    assert not scripts.look(folder)
    (folder / "broken.py").write_text("def f(:")
    assert scripts.look(folder)
    assert not scripts.look(folder)
    assert "broken.py:1" in scripts.problems[0]
    (folder / "hello.py").unlink()
    assert scripts.look(folder)
    assert scripts.offered([]) is None


def test_a_folder_may_come_go_and_be_another(folder: Path, tmp_path: Path) -> None:
    scripts = SavedScripts(tmp_path / "later")
    assert scripts.offered([]) is None
    assert not scripts.look(tmp_path / "later")
    assert scripts.look(folder)
    assert scripts.offered([]) is not None
    assert scripts.look(None)
    assert scripts.offered([]) is None
    folder.rename(tmp_path / "later")
    assert scripts.look(tmp_path / "later")
    assert scripts.offered([]) is not None
