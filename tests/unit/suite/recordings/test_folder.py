"""A folder of recordings: names for every file system, each catalog once, and nothing that is not what it was."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from toolbooth.catalog import Catalog, sort_entries
from toolbooth.errors import ConfigError
from toolbooth.suite.recordings.cassette_json import Cassette
from toolbooth.suite.recordings.folder import CassetteFolder, file_name
from toolbooth.suite.recordings.menu_json import catalog_hash, menu_hash
from toolbooth.suite.report import CellKey
from toolbooth.suite.trace import Trace
from toolbooth.tokens import weigh

KEY = CellKey("Books a lunch", "openai:gpt-x", "search")
MENU: list[dict[str, Any]] = [
    {"name": "add", "description": "Adds.", "inputSchema": {"type": "object"}},
    {"name": "drop"},
]
CATALOG = Catalog((sort_entries("calendar", MENU, instructions="Be kind."),))


def cassette(key: CellKey = KEY, run: int = 1) -> Cassette:
    return Cassette(key, Trace("p", model=key.model, surface=key.surface), run, "", ("calendar",))


def test_a_file_is_named_after_its_cell_and_run() -> None:
    name = file_name(KEY, 2)
    assert name.startswith("books-a-lunch--openai-gpt-x--search.run-02-")
    assert name.endswith(".json")
    assert file_name(KEY, 2, "padded").startswith("books-a-lunch--openai-gpt-x--search--padded.run-02-")


@pytest.mark.parametrize(
    "test", ["con", "CON", "../../etc/passwd", "a" * 5000, "", "日本", "a/b\\c:d*?", "\ud800", ".hid"]
)
def test_a_name_is_safe_on_every_file_system(test: str) -> None:
    name = file_name(CellKey(test, "nul", "direct"), 1)
    assert len(name) <= 160
    assert set(name) <= set("abcdefghijklmnopqrstuvwxyz0123456789-.")
    assert name.partition(".")[0] not in ("con", "nul", "")
    assert not name.startswith((".", "-"))


def test_names_that_look_the_same_are_told_apart_without_their_case() -> None:
    tests = ("Lunch", "lunch", "lunch!", "日本", "中国", "a" * 100, "a" * 101)
    names = {file_name(CellKey(test, "m", "direct"), 1).lower() for test in tests}
    assert len(names) == len(tests)


def test_a_run_is_written_and_read_again(tmp_path: Path) -> None:
    folder = CassetteFolder(tmp_path / "deep" / "cassettes")
    assert not folder.has(KEY)
    assert folder.runs(KEY) == ()
    for run in (2, 1, 11):
        folder.write(cassette(run=run))
    assert folder.runs(KEY) == CassetteFolder(folder.path).runs(KEY) == (1, 2, 11)
    assert folder.runs(KEY, "padded") == ()
    assert folder.has(KEY, 11)
    assert folder.read(KEY, 11) == cassette(run=11)


def test_a_missing_run_says_how_to_make_it(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="record it with --record"):
        CassetteFolder(tmp_path).read(KEY)


def test_a_recording_of_another_cell_is_refused(tmp_path: Path) -> None:
    folder = CassetteFolder(tmp_path)
    other = folder.write(cassette(CellKey("other", "m", "direct")))
    other.rename(folder.path_of(KEY))
    with pytest.raises(ConfigError, match="another test"):
        folder.read(KEY)


def test_cells_of_any_model_are_found_by_test_and_surface(tmp_path: Path) -> None:
    folder = CassetteFolder(tmp_path)
    kept = [KEY, KEY._replace(model="anthropic:claude-x")]
    for key in (*kept, KEY._replace(surface="direct"), KEY._replace(test="books a lunch")):
        folder.write(cassette(key))
    assert folder.recorded_as(KEY.test, KEY.surface) == tuple(sorted(kept))
    assert folder.recorded_as("unknown", "search") == ()


def test_recordings_of_no_cell_are_named_and_stay(tmp_path: Path) -> None:
    folder = CassetteFolder(tmp_path)
    kept, left = folder.write(cassette()), folder.write(cassette(CellKey("old", "m", "direct")))
    padded = folder.write(replace(cassette(), variant="padded"))
    (tmp_path / "notes.json").write_text("mine")
    assert CassetteFolder(tmp_path).stale([KEY]) == (left,)
    assert all(path.exists() for path in (kept, left, padded))


def test_a_menu_and_its_catalog_are_kept_once_by_content(tmp_path: Path) -> None:
    folder = CassetteFolder(tmp_path)
    menu, catalog = folder.write_menu(MENU), folder.write_catalog(CATALOG)
    assert (menu, catalog) == (menu_hash(MENU), catalog_hash(CATALOG))
    assert folder.write_menu(MENU) == menu
    assert len(list((tmp_path / "catalogs").iterdir())) == 2
    again = CassetteFolder(tmp_path)
    assert again.read_menu(menu) == tuple(MENU)
    read = again.read_catalog(catalog)
    assert read is not None
    assert read.fingerprint == CATALOG.fingerprint
    assert read.servers[0].instructions == "Be kind."


def test_a_menu_is_weighed_as_everywhere_and_read_once(tmp_path: Path) -> None:
    name = CassetteFolder(tmp_path).write_menu(MENU)
    folder = CassetteFolder(tmp_path)
    assert folder.surface_tokens(name) == weigh(MENU).total_tokens
    (tmp_path / "catalogs" / f"{name.removeprefix('sha256:')}.json").unlink()
    assert folder.surface_tokens(name) == weigh(MENU).total_tokens


@pytest.mark.parametrize("name", ["", "sha256:" + "a" * 64, "sha256:../../x", "md5:1"])
def test_a_catalog_that_is_not_there_is_none(tmp_path: Path, name: str) -> None:
    folder = CassetteFolder(tmp_path)
    assert folder.read_menu(name) is None
    assert folder.read_catalog(name) is None
    assert folder.surface_tokens(name) is None
