"""Originals stay: whatever a client, a person or a crash does to the copy, the servers come back."""

import json
import os
import shutil
import signal
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest
from tests.unit.catalog.config.conftest import Unwrap, Wrap, Write

from toolbooth.catalog.config import WrapOptions, read_config, stand_in, unwrap, versions, wrap
from toolbooth.catalog.config.originals import all_kept, remember
from toolbooth.catalog.loading import gateway_sources
from toolbooth.errors import ConfigError
from toolbooth.limits import KEPT_ORIGINALS

CONFIG = (
    '{\n  "mcpServers": {\n    "a": {"command": "x"}, // mine\n    "b": {"command": "y"}\n  },\n  "n": 1\n}\n'
)


@pytest.fixture
def path(write: Write) -> Path:
    return write(".cursor/mcp.json", CONFIG)


def names(path: Path) -> list[str]:
    return [spec.name for spec in read_config(path, {}).servers]


@pytest.mark.promise("wrap:originals")
def test_a_client_that_writes_the_entry_again_after_unwrapping_loses_nothing(
    path: Path, home: Path, wrapped: Wrap, unwrapped: Unwrap, gateway: WrapOptions
) -> None:
    kept = wrapped(path).kept
    remembered = path.read_bytes()
    unwrapped(path)
    path.write_bytes(remembered)  # as a client does that never looked at its file again
    assert not kept.exists()
    served = gateway_sources([str(kept)], {"HOME": str(home)}, home)
    assert [spec.name for spec in served.servers] == ["a", "b"]
    assert f"`toolbooth unwrap {path}` puts the servers back into that file" in served.notes[0]
    with pytest.raises(ConfigError, match="puts the servers back from the original of 20"):
        wrapped(path)
    done = unwrapped(path)
    assert (done.state, done.version) == ("restored", versions(gateway.data, path)[0])
    assert path.read_text() == CONFIG


@pytest.mark.parametrize("lost", ["copy", "manifest", "folder"])
def test_a_copy_that_was_lost_or_damaged_is_no_obstacle(
    path: Path, wrapped: Wrap, unwrapped: Unwrap, lost: str
) -> None:
    kept = wrapped(path).kept
    if lost == "folder":
        shutil.rmtree(kept.parent)
    elif lost == "copy":
        kept.unlink()
    else:
        (kept.parent / "manifest.json").write_text("{")
    assert unwrapped(path).state == "restored"
    assert path.read_text() == CONFIG


def test_only_the_owner_may_read_originals(
    path: Path, wrapped: Wrap, unwrapped: Unwrap, gateway: WrapOptions
) -> None:
    wrapped(path)
    original = unwrapped(path).original
    assert original is not None
    assert original.read_text() == CONFIG
    assert {each.stat().st_mode & 0o777 for each in original.parent.iterdir()} == {0o600}
    assert {folder.stat().st_mode & 0o777 for folder in list(original.parents)[:4]} == {0o700}
    assert gateway.data == original.parents[3]


def test_of_each_file_a_bounded_number_of_versions_is_kept_and_none_twice(
    path: Path, write: Write, wrapped: Wrap, unwrapped: Unwrap, gateway: WrapOptions
) -> None:
    wrapped(write("other/mcp.json", CONFIG))
    for number in range(KEPT_ORIGINALS + 3):
        path.write_text(CONFIG.replace('"n": 1', f'"n": {number}'))
        for _ in range(2):
            wrapped(path)
            unwrapped(path)
    found = [
        json.loads(each.kept.copy.read_text().replace("// mine", ""))["n"]
        for each in versions(gateway.data, path)
    ]
    assert found == list(range(KEPT_ORIGINALS + 2, 2, -1))
    assert len(versions(gateway.data)) == KEPT_ORIGINALS + 1


def test_a_chosen_version_comes_back_and_what_changed_since_stays(
    path: Path, wrapped: Wrap, unwrapped: Unwrap, gateway: WrapOptions
) -> None:
    wrapped(path)
    unwrapped(path)
    path.write_text('{"mcpServers": {"c": {"command": "z"}}, "n": 2}')
    wrapped(path)
    oldest = versions(gateway.data, path)[-1]
    assert unwrap(path, gateway.data, oldest).state == "servers put back"
    assert names(path) == ["a", "b"]
    assert '"n": 2' in path.read_text()
    assert not list(all_kept(gateway.data))
    assert len(versions(gateway.data, path)) == 2


def test_what_was_edited_in_the_copy_is_kept_as_a_version_too(
    path: Path, wrapped: Wrap, unwrapped: Unwrap, gateway: WrapOptions
) -> None:
    kept = wrapped(path).kept
    kept.write_text(CONFIG.replace('"b"', '"edited"'))
    unwrapped(path)
    assert ["edited" in each.kept.copy.read_text() for each in versions(gateway.data, path)] == [True, False]


def test_two_that_keep_the_same_original_at_once_keep_it(
    path: Path, wrapped: Wrap, gateway: WrapOptions
) -> None:
    wrapped(path)
    manifest = next(iter(all_kept(gateway.data))).manifest
    with ThreadPoolExecutor(8) as pool, suppress(ConfigError):
        list(pool.map(lambda _: remember(gateway.data, manifest, CONFIG.encode()), range(24)))
    assert [each.kept.copy.read_text() for each in versions(gateway.data, path)] == [CONFIG]


def killed_at(step: int, below: Path, work: Callable[[], object]) -> bool:
    """Run it in a process that is killed right before its n-th change of a file; whether it got that far."""
    child = os.fork()
    if child == 0:  # pragma: no cover - no coverage outlives a SIGKILL
        left = [step]

        def count(event: str, args: tuple[object, ...]) -> None:
            gone = event in ("os.remove", "os.rmdir")  # in a folder that is open, so without its path
            changed = event in ("os.rename", "os.mkdir", "os.chmod")
            opened = event == "open" and isinstance(args[2], int) and args[2] & (os.O_WRONLY | os.O_RDWR)
            if gone or ((changed or opened) and str(below) in str(args[0])):
                left[0] -= 1
                if left[0] == 0:
                    os.kill(os.getpid(), signal.SIGKILL)

        sys.addaudithook(count)
        with suppress(BaseException):
            work()
        os._exit(0)
    _, status = os.waitpid(child, 0)
    return os.WIFSIGNALED(status)


@pytest.mark.promise("wrap:killed")
@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
@pytest.mark.parametrize("doing", ["wrap", "unwrap", "unwrap from a version"])
def test_a_kill_at_any_point_loses_nothing(tmp_path: Path, doing: str) -> None:
    for step in range(1, 200):
        home = tmp_path / str(step)
        path, gateway = (
            home / ".cursor/mcp.json",
            WrapOptions(["/opt/bin/toolbooth"], home / "data/toolbooth"),
        )
        path.parent.mkdir(parents=True)
        path.write_text(CONFIG)
        environ = {"HOME": str(home)}
        if doing != "wrap":
            wrap(path, gateway, environ)
        wrapped = path.read_bytes()
        version = versions(gateway.data)[0] if "version" in doing else None
        again = partial(wrap, path, gateway, environ)
        work = again if doing == "wrap" else partial(unwrap, path, gateway.data, version)
        if not killed_at(step, home, work):
            assert step > 7  # as often it was killed before its end
            return
        text = path.read_text()
        assert text == CONFIG or "serve" in json.loads(text)["mcpServers"]["toolbooth"]["args"]
        served = gateway_sources([str(path)], environ, home)
        assert [spec.name for spec in served.servers] == ["a", "b"]
        if doing == "wrap":
            wrapped = path.read_bytes() if text != CONFIG else wrapped
            again()
        with suppress(ConfigError):  # nothing is wrapped any more
            unwrap(path, gateway.data)
        assert path.read_text() == CONFIG
        if b"serve" in wrapped:
            path.write_bytes(wrapped)  # a client that remembers
            assert unwrap(path, gateway.data).state == "restored"
            assert path.read_text() == CONFIG
        assert stand_in(home / "data/toolbooth/wrapped/x-000000000000/mcp.json") is None
    raise AssertionError("it never got to its end")
