"""A folder of scripts: what cannot be used hides nobody, and nothing is lost."""

import os
from pathlib import Path

import pytest

from toolbooth.errors import ConfigError, UserMistake
from toolbooth.limits import MAX_CODE, MAX_SCRIPTS
from toolbooth.sandbox import Loaded, ScriptFolder

ONE, TWO = '"""One."""\n1\n', '"""Two."""\r\n2\r\n'


@pytest.fixture
def folder(tmp_path: Path) -> ScriptFolder:
    return ScriptFolder(tmp_path / "deep" / "scripts")


def test_a_folder_that_is_not_there_is_empty(folder: ScriptFolder) -> None:
    assert folder.load() == Loaded({}, ())
    assert folder.stamp() == ()
    with pytest.raises(UserMistake, match="no script is saved there"):
        folder.read("one")


@pytest.mark.promise("scripts:kept")
def test_what_is_saved_is_read_back(folder: ScriptFolder) -> None:
    folder.save("two", TWO)
    folder.save("one", ONE)
    loaded = folder.load()
    assert list(loaded.scripts) == ["one", "two"]
    assert loaded.scripts["two"].code == TWO
    assert folder.read("two") == loaded.scripts["two"]
    assert loaded.problems == ()
    assert sorted(path.name for path in folder.path.iterdir()) == ["one.py", "two.py"]


@pytest.mark.promise("scripts:kept")
def test_nothing_is_overwritten_unasked(folder: ScriptFolder) -> None:
    folder.save("one", ONE)
    with pytest.raises(UserMistake, match="the script one already exists"):
        folder.save("one", TWO)
    assert folder.read("one").code == ONE
    folder.save("one", TWO, replace=True)
    assert folder.read("one").code == TWO
    assert [path.name for path in folder.path.iterdir()] == ["one.py"]


def test_a_file_system_without_links_will_do(folder: ScriptFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_paths: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", refuse)
    folder.save("one", ONE)
    with pytest.raises(UserMistake, match="already"):
        folder.save("one", TWO)
    assert folder.read("one").code == ONE


def test_what_cannot_be_used_is_not_saved(folder: ScriptFolder) -> None:
    with pytest.raises(ConfigError):
        folder.save("one", "x = (")
    with pytest.raises(UserMistake):
        folder.save("../one", ONE)
    assert not folder.path.exists()


def test_a_write_that_fails_leaves_the_old_file(
    folder: ScriptFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder.save("one", ONE)

    def fail(_handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(ConfigError, match="No space left"):
        folder.save("one", TWO, replace=True)
    assert folder.read("one").code == ONE
    assert [path.name for path in folder.path.iterdir()] == ["one.py"]


def test_a_script_has_the_mode_that_its_owner_gives_new_files(folder: ScriptFolder) -> None:
    before = os.umask(0o027)
    try:
        folder.save("one", ONE)
    finally:
        os.umask(before)
    assert folder.file_of("one").stat().st_mode & 0o777 == 0o640


@pytest.mark.promise("scripts:safe")
def test_a_bad_file_is_one_line_and_the_others_stay(folder: ScriptFolder, tmp_path: Path) -> None:
    folder.save("good", ONE)
    write = {"Bad.py": ONE, "class.py": ONE, "syntax.py": '"""Does."""\n1 +\n', "silent.py": "1\n"}
    for name, text in write.items():
        (folder.path / name).write_text(text)
    (folder.path / "latin.py").write_bytes(b'"""\xe9"""')
    (folder.path / "huge.py").write_text(ONE + "#" * MAX_CODE * 4)
    (folder.path / "sub.py").mkdir()
    (tmp_path / "secret").write_text(ONE)
    (folder.path / "link.py").symlink_to(tmp_path / "secret")
    (folder.path / "loop.py").symlink_to("loop.py")
    os.mkfifo(folder.path / "pipe.py")
    (folder.path / "a\nb\x1b[2J.py").write_text(ONE)
    for ignored in (".hidden.py", "notes.txt", "one.pyc"):
        (folder.path / ignored).write_text("x (")
    loaded = folder.load()
    assert list(loaded.scripts) == ["good"]
    lines = "\n".join(loaded.problems)
    assert len(loaded.problems) == len(lines.splitlines()) == 11
    assert "\x1b" not in lines
    assert "syntax.py:2:4: is not valid Python: invalid syntax" in lines
    assert "silent.py:1: has no description" in lines
    assert "latin.py:1:4: is not UTF-8" in lines
    assert "huge.py: is larger than 256 KiB" in lines
    assert "pipe.py: is a pipe" in lines
    assert "link.py: is a symbolic link" in lines
    assert "secret" not in lines


def test_a_file_in_the_place_of_the_folder_is_said(tmp_path: Path) -> None:
    (tmp_path / "scripts").write_text("x")
    folder = ScriptFolder(tmp_path / "scripts")
    assert folder.load().problems == (f"{folder.path}: cannot be read: Not a directory",)
    assert folder.stamp() == ()
    with pytest.raises(ConfigError, match="is not a folder"):
        folder.save("one", ONE)
    with pytest.raises(UserMistake):
        folder.remove("one")


def test_too_many_are_cut_and_said(folder: ScriptFolder) -> None:
    folder.path.mkdir(parents=True)
    for number in range(MAX_SCRIPTS + 1):
        (folder.path / f"s{number:04}.py").write_text(ONE)
    loaded = folder.load()
    assert len(loaded.scripts) == MAX_SCRIPTS
    assert loaded.problems == (
        f"{folder.path}: holds {MAX_SCRIPTS + 1} scripts; only the first {MAX_SCRIPTS} by name are used",
    )
    with pytest.raises(UserMistake, match="remove one first"):
        folder.save("new", ONE)
    folder.save("s0000", TWO, replace=True)


def test_the_stamp_tells_of_every_change(folder: ScriptFolder) -> None:
    seen = {folder.stamp()}
    folder.save("one", ONE)
    seen.add(folder.stamp())
    assert folder.stamp() in seen
    folder.save("one", ONE.replace("One", "Two"), replace=True)
    seen.add(folder.stamp())
    folder.save("two", TWO)
    seen.add(folder.stamp())
    assert len(seen) == 4


def test_a_script_is_removed_also_one_that_cannot_be_used(folder: ScriptFolder, tmp_path: Path) -> None:
    folder.save("one", ONE)
    folder.file_of("bad").write_text("x (")
    (tmp_path / "mine").write_text("mine")
    folder.file_of("link").symlink_to(tmp_path / "mine")
    assert folder.remove("bad") == folder.path / "bad.py"
    folder.remove("link")
    assert (tmp_path / "mine").read_text() == "mine"
    with pytest.raises(UserMistake, match=r"script on does not exist in .*; did you mean one"):
        folder.remove("on")
    with pytest.raises(UserMistake, match="is not a valid script name"):
        folder.remove("../one")
    assert list(folder.load().scripts) == ["one"]
