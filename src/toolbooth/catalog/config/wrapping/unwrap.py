"""Unwrapping a config file: the original bytes are restored or, if the file has changed since, only its servers."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, NamedTuple

from toolbooth import errors, files, limits
from toolbooth.catalog.config import originals
from toolbooth.catalog.config.merging import free_name
from toolbooth.catalog.config.regular_file import read_regular
from toolbooth.catalog.config.wrapping import opened
from toolbooth.catalog.config.wrapping.wrap import replaced


@dataclass(frozen=True)
class Unwrapping:
    """What was done to one file: it was restored, or its servers were put back (`renamed` is new name by old name).

    `original` is where its original is kept; `version` is set if an older original was used instead of the copy.
    """

    path: Path
    client: str
    state: Literal["restored", "servers put back", "already back"]
    servers: tuple[str, ...]
    renamed: Mapping[str, str]
    original: Path | None = None
    version: originals.KeptVersion | None = None


def unwrap(path: Path, data: Path, version: originals.KeptVersion | None = None) -> Unwrapping:
    """Put back the servers that moved, then remove the copy that the gateway read; its original stays kept.

    A `version` is used instead of that copy. If this raises ConfigError, nothing is changed.
    """
    target = opened.target_of(path)
    file = opened.open_config(path) if target.exists() else None
    linked = _readable(file.wrapped_entry.copy) if file is not None and file.wrapped_entry else None
    source = _Source(version.kept, version) if version else _source(path, target, file, data)
    kept = source.kept
    original = read_regular(kept.copy, limits.MAX_CONFIG_BYTES)
    folder = kept.folder if source.version else originals.remember(data, kept.manifest, original)
    intact = originals.digest(original) == kept.manifest.original_sha256
    if file is None or (intact and originals.digest(file.data) == kept.manifest.wrapped_sha256):
        files.replace_if_unchanged(target, original, file.data if file else None)
        done = Unwrapping(path, kept.manifest.client, "restored", kept.manifest.moved, {})
    else:
        done = _put_back(file, kept, opened.open_bytes(kept.manifest.path, target, original))
    for each in (None if source.version else kept, linked):
        if each is not None and each.manifest.target == target:
            originals.let_go(each.folder)
    return replace(done, original=folder / kept.manifest.copy, version=source.version)


class _Source(NamedTuple):
    """Where the original bytes are: the copy that the gateway read, or a version of the original."""

    kept: originals.KeptOriginal
    version: originals.KeptVersion | None = None


def _source(path: Path, target: Path, file: opened.OpenedConfig | None, data: Path) -> _Source:
    if file is not None and (wrapped_entry := file.wrapped_entry):
        if kept := _readable(wrapped_entry.copy):
            return _Source(kept)
        if version := originals.stand_in(wrapped_entry.copy):
            return _Source(version.kept, version)
        originals.kept_by(wrapped_entry.copy)  # raises for a damaged manifest
        raise errors.ConfigError(
            f"its kept copy {wrapped_entry.copy} is missing, and so is its original; nothing was changed",
            path,
        )
    found = [
        kept for kept in originals.all_kept(data) if kept.manifest.target == target and kept.copy.is_file()
    ]
    if found:
        return _Source(found[-1])
    reason = "is not wrapped; nothing was changed" if file else errors.NO_SUCH_FILE
    some = "; `toolbooth unwrap --from-backup` lists the kept originals"
    raise errors.ConfigError(f"{reason}{some if originals.versions(data, target) else ''}", path)


def _readable(copy: Path) -> originals.KeptOriginal | None:
    with suppress(errors.ConfigError):
        kept = originals.kept_by(copy)
        return kept if kept is not None and kept.copy.is_file() else None
    return None


def _put_back(
    file: opened.OpenedConfig, kept: originals.KeptOriginal, original: opened.OpenedConfig
) -> Unwrapping:
    section = kept.manifest.section
    here = opened.section_of(file.document.value, section)
    servers = {
        name: value
        for name, value in opened.section_of(original.document.value, section).items()
        if name not in kept.manifest.stays
    }
    wrapped_entry = file.wrapped_entry.server if file.wrapped_entry else ""
    called = _names(servers, {name: value for name, value in here.items() if name != wrapped_entry})
    if not called and not wrapped_entry:
        return Unwrapping(file.path, kept.manifest.client, "already back", (), {})
    new = _rewritten(file, original, kept, called)
    wanted = {name: value for name, value in here.items() if name != wrapped_entry}
    wanted |= {called[name]: servers[name] for name in called}
    if new.document.value != replaced(file.document.value, section, wanted):
        raise errors.ConfigError(f"cannot be changed safely; the original is {kept.copy}", file.path)
    files.replace_if_unchanged(file.target, new.data, file.data)
    renamed = {name: given for name, given in called.items() if given != name}
    return Unwrapping(file.path, kept.manifest.client, "servers put back", tuple(called), renamed)


def _names(servers: Mapping[str, Any], here: Mapping[str, Any]) -> dict[str, str]:
    """The name that each server gets: a server that was added later keeps its name."""
    taken = set(here)
    called: dict[str, str] = {}
    for name, value in servers.items():
        if name in here and here[name] == value:
            continue
        called[name] = free_name(name, taken)
        taken.add(called[name])
    return called


def _rewritten(
    file: opened.OpenedConfig,
    original: opened.OpenedConfig,
    kept: originals.KeptOriginal,
    called: Mapping[str, str],
) -> opened.OpenedConfig:
    section, rewrite = kept.manifest.section, file.rewrite
    if _as_left(file, original, kept):
        return file.with_text(rewrite.restore_section(file.text, section, original.text))
    wrapped_entry = file.wrapped_entry.server if file.wrapped_entry else ""
    return file.with_text(rewrite.move_back(file.text, section, wrapped_entry, original.text, called))


def _as_left(file: opened.OpenedConfig, original: opened.OpenedConfig, kept: originals.KeptOriginal) -> bool:
    """Whether the section still holds what wrapping wrote, whatever its layout."""
    here = dict(opened.section_of(file.document.value, kept.manifest.section))
    there = opened.section_of(original.document.value, kept.manifest.section)
    if file.wrapped_entry is None or here.pop(file.wrapped_entry.server, None) is None:
        return False
    return here == {name: there[name] for name in kept.manifest.stays if name in there}
