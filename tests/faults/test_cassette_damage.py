"""Recordings on a disk that is full, read-only, tampered with, or holds something else in their place."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from toolbooth.catalog import Catalog, sort_entries
from toolbooth.errors import ConfigError
from toolbooth.suite.recordings.cassette_json import Cassette
from toolbooth.suite.recordings.folder import CassetteFolder
from toolbooth.suite.report import CellKey
from toolbooth.suite.trace import Trace

KEY = CellKey("lunch", "m", "direct")
CASSETTE = Cassette(KEY, Trace("p"))
MENU = [{"name": "a", "description": "Adds."}]
CATALOG = Catalog((sort_entries("s", MENU),))


def refusal(work: Callable[[], object]) -> str:
    with pytest.raises(ConfigError) as caught:
        work()
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_a_folder_in_place_of_a_recording(tmp_path: Path) -> None:
    folder = CassetteFolder(tmp_path)
    folder.path_of(KEY).mkdir()
    assert "not a regular file" in refusal(lambda: folder.read(KEY))
    assert "cannot be written" in refusal(lambda: folder.write(CASSETTE))
    assert folder.has(KEY)


def test_a_link_in_place_of_a_recording_is_neither_followed_nor_replaced(tmp_path: Path) -> None:
    folder = CassetteFolder(tmp_path / "cassettes")
    folder.path.mkdir()
    other = tmp_path / "other.json"
    other.write_text("mine")
    folder.path_of(KEY).symlink_to(other)
    assert "not a regular file" in refusal(lambda: folder.read(KEY))
    assert "link" in refusal(lambda: folder.write(CASSETTE))
    assert other.read_text() == "mine"


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such pipes")
def test_a_pipe_in_place_of_a_recording_is_not_waited_for(tmp_path: Path) -> None:
    folder = CassetteFolder(tmp_path)
    os.mkfifo(folder.path_of(KEY))
    assert "not a regular file" in refusal(lambda: folder.read(KEY))


def test_a_file_in_place_of_the_folder(tmp_path: Path) -> None:
    (tmp_path / "cassettes").write_text("mine")
    folder = CassetteFolder(tmp_path / "cassettes")
    assert "cannot be" in refusal(lambda: folder.write(CASSETTE))
    assert "cannot be" in refusal(lambda: folder.write_menu(MENU))
    assert "cannot be read" in refusal(lambda: folder.runs(KEY))
    assert "cannot be read" in refusal(lambda: folder.read(KEY))


@pytest.mark.parametrize("what", ["menu", "catalog"])
def test_a_catalog_that_was_cut_edited_or_exchanged_is_refused(tmp_path: Path, what: str) -> None:
    folder = CassetteFolder(tmp_path)
    name = folder.write_menu(MENU) if what == "menu" else folder.write_catalog(CATALOG)
    other = folder.write_menu([{"name": "b"}]) if what == "menu" else folder.write_catalog(Catalog())
    (file, second) = (
        tmp_path / "catalogs" / f"{each.removeprefix('sha256:')}.json" for each in (name, other)
    )
    whole = file.read_bytes()
    damages = (
        whole[: len(whole) // 2],
        whole.replace(b"Adds", b"Sums"),
        second.read_bytes(),
        b"",
        b"[]",
        b"7",
    )
    for damage in damages:
        file.write_bytes(damage)
        fresh = CassetteFolder(tmp_path)
        read = fresh.read_menu if what == "menu" else fresh.read_catalog
        refusal(partial(read, name))
    with pytest.raises(ConfigError):
        CassetteFolder(tmp_path).surface_tokens(name)


def test_a_catalog_in_place_of_a_menu_is_refused(tmp_path: Path) -> None:
    folder = CassetteFolder(tmp_path)
    name = folder.write_catalog(CATALOG)
    assert "not a menu" in refusal(lambda: CassetteFolder(tmp_path).read_menu(name))


FULL = """
import resource, signal, sys
from pathlib import Path
from toolbooth.errors import ConfigError
from toolbooth.suite.recordings.cassette_json import Cassette
from toolbooth.suite.recordings.folder import CassetteFolder
from toolbooth.suite.report import CellKey
from toolbooth.suite.trace import Trace

signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
folder = CassetteFolder(Path(sys.argv[1]))
key = CellKey("lunch", "m", "direct")
try:
    folder.write(Cassette(key, Trace("p" * 5000)))
except ConfigError as error:
    print(error)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such limit")
def test_a_full_disk_is_one_line_and_the_old_recording_stays(tmp_path: Path) -> None:
    folder = CassetteFolder(tmp_path)
    folder.write(CASSETTE)
    said = subprocess.run(
        [sys.executable, "-c", FULL, str(tmp_path)], capture_output=True, text=True, check=True
    )
    assert "cannot be written" in said.stdout
    assert said.stdout.count("\n") == 1
    assert folder.read(KEY) == CASSETTE
    assert len(list(tmp_path.iterdir())) == 1


CLOSED = """
import os, sys
from pathlib import Path
from toolbooth.errors import ConfigError
from toolbooth.suite.recordings.cassette_json import Cassette
from toolbooth.suite.recordings.folder import CassetteFolder
from toolbooth.suite.report import CellKey
from toolbooth.suite.trace import Trace

cassette = Cassette(CellKey("lunch", "m", "direct"), Trace("p"))
CassetteFolder(Path(sys.argv[1])).write(cassette)  # imports all that root alone may be able to read
if os.geteuid() == 0:
    os.setuid(65534)
for folder in sys.argv[2:]:
    try:
        CassetteFolder(Path(folder)).write(cassette)
        print("written")
    except ConfigError as error:
        print(error)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="modes are of POSIX")
def test_a_folder_that_may_not_be_written_is_one_line(tmp_path: Path) -> None:
    """Nothing is closed to root, so root writes as somebody else, below a folder that everybody may enter."""
    with tempfile.TemporaryDirectory(dir="/tmp") as name:
        closed, opened = Path(name, "closed"), Path(name, "opened")
        for folder, mode in ((closed, 0o555), (opened, 0o777), (Path(name), 0o755)):
            folder.mkdir(exist_ok=True)
            folder.chmod(mode)
        words = [sys.executable, "-c", CLOSED, *map(str, (tmp_path, closed, opened))]
        said = subprocess.run(words, capture_output=True, text=True, check=True).stdout.splitlines()
    assert len(said) == 2
    assert "cannot be written" in said[0]
    assert said[1] == "written"
