"""Wrapping a client's config file: its servers are replaced by one entry, the gateway, and the original is kept."""

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple

from toolbooth import errors, files
from toolbooth.catalog.config import gateway_command, merging, originals, read
from toolbooth.catalog.config.gateway_settings import AUTO_SURFACE
from toolbooth.catalog.config.wrapping import opened
from toolbooth.catalog.config.wrapping.moving import Moving, Stay, moving, unplaced

GATEWAY_NAME: Final = "toolbooth"
_SHOWN_REASONS: Final = 4  # in one line
_CANNOT_RESURFACE: Final = (
    "its surface cannot be changed, because of the way its entry is written; unwrap it and wrap it again"
)


@dataclass(frozen=True)
class WrapOptions:
    """How the gateway is started, and the folder below which originals are kept.

    Without a `surface`, a new entry gets `auto`, and one that is there keeps its own.
    """

    command: Sequence[str]
    data: Path
    surface: str = ""


@dataclass(frozen=True)
class Wrapping:
    """What was done to one file, or would be done; `remote` are moved servers to which no key is sent.

    `unplaced` are moved servers with a relative path, of a client that does not say where it starts servers. `surface`
    is what the client sees ("" is the default of `serve`), and `former_surface` what it saw if that has changed.
    """

    path: Path
    client: str
    state: Literal[
        "wrapped", "would be wrapped", "already wrapped", "surface changed", "surface would be changed"
    ]
    server: str
    entry: Mapping[str, Any]
    moved: tuple[str, ...]
    stays: tuple[Stay, ...]
    kept: Path
    remote: tuple[str, ...] = ()
    in_project: bool = False
    unplaced: tuple[str, ...] = ()
    surface: str = ""
    former_surface: str | None = None


def wrap(path: Path, gateway: WrapOptions, environ: Mapping[str, str], *, dry_run: bool = False) -> Wrapping:
    """Move the servers that can move; of a wrapped file, change the surface. If this raises ConfigError, nothing is
    changed."""
    file = opened.open_config(path)
    found = moving(file, environ)
    if wrapped_entry := file.wrapped_entry:
        return _already(file, wrapped_entry, found, gateway.surface, dry_run=dry_run)
    if not found.moved or file.section is None:
        raise errors.ConfigError(_nothing(file, found), path)
    if dry_run:
        return _plan(file, found, gateway, originals.folder_for(gateway.data, file.target), environ).done
    folder = originals.reserve(gateway.data, file.target)
    try:  # an interrupt is not caught: an extra folder does no harm, a missing one would
        plan = _plan(file, found, gateway, folder, environ)
        originals.keep(folder, plan.manifest, file.data)
        originals.remember(gateway.data, plan.manifest, file.data)
        files.replace_if_unchanged(file.target, plan.new.data, file.data)
    except errors.ConfigError:
        originals.let_go(folder)
        raise
    _clear_stale(gateway.data, folder, plan.manifest)
    return replace(plan.done, state="wrapped")


class _Plan(NamedTuple):
    new: opened.OpenedConfig
    manifest: originals.Manifest
    done: Wrapping


def _plan(
    file: opened.OpenedConfig, found: Moving, gateway: WrapOptions, folder: Path, environ: Mapping[str, str]
) -> _Plan:
    copy = (
        file.target.name if file.target.name != originals.MANIFEST_NAME else f"kept-{originals.MANIFEST_NAME}"
    )
    server = merging.free_name(GATEWAY_NAME, set(opened.section_of(file.document.value, file.section or ())))
    surface = gateway.surface or AUTO_SURFACE
    entry = {
        **file.format.entry(_launch(file, gateway.command, surface, folder / copy, found.moved)),
        **gateway_command.loading_keys(file.client, surface),
    }
    new = _rewritten(file, found.moved, server, entry)
    in_project = read.project_of(file.path, read.home_of(environ)) is not None
    done = Wrapping(
        path=file.path,
        client=file.client,
        state="would be wrapped",
        server=server,
        entry=entry,
        moved=found.moved,
        stays=(*found.stays, *_elsewhere(file)),
        kept=folder / copy,
        remote=_without_key(file, found.moved),
        in_project=in_project,
        unplaced=() if in_project else unplaced(file, found.moved),
        surface=surface,
    )
    return _Plan(new, _manifest(file, new, copy, server, found), done)


def replaced(value: Any, path: tuple[str, ...], new: Any) -> Any:
    """A copy of the value with `new` at a path."""
    if not path:
        return new
    return {**value, path[0]: replaced(value.get(path[0], {}), path[1:], new)}


def _launch(
    file: opened.OpenedConfig, command: Sequence[str], surface: str, copy: Path, moved: Sequence[str]
) -> gateway_command.GatewayLaunch:
    words = (*command, "serve", "--config", str(copy), "--surface", surface)
    entries = opened.section_of(file.document.value, file.section or ())
    return gateway_command.GatewayLaunch(
        words[0], words[1:], file.client, {name: entries[name] for name in moved}
    )


def _rewritten(
    file: opened.OpenedConfig, moved: Sequence[str], server: str, entry: Mapping[str, Any]
) -> opened.OpenedConfig:
    """The new file. It is parsed again to verify that only the servers changed and the gateway is enabled."""
    section = file.section or ()
    new = file.with_text(file.rewrite.move_out(file.text, section, set(moved), server, entry))
    before = opened.section_of(file.document.value, section)
    wanted = {name: value for name, value in before.items() if name not in moved} | {server: dict(entry)}
    if new.document.value != replaced(file.document.value, section, wanted):
        raise errors.ConfigError("cannot be changed safely, because of the way it is written", file.path)
    if any(raw.disabled for raw in new.own_servers if raw.name == server):
        raise errors.ConfigError(
            f"its settings allow only named servers; add {server!r} to mcp.allowed", file.path
        )
    return new


def _manifest(
    file: opened.OpenedConfig, new: opened.OpenedConfig, copy: str, server: str, found: Moving
) -> originals.Manifest:
    return originals.Manifest(
        path=file.path.absolute(),
        target=file.target,
        copy=copy,
        client=file.client,
        section=file.section or (),
        server=server,
        moved=found.moved,
        stays=(*(stay.server for stay in found.stays), *_in_other_sections(file, found)),
        original_sha256=originals.digest(file.data),
        wrapped_sha256=originals.digest(new.data),
    )


def _in_other_sections(file: opened.OpenedConfig, found: Moving) -> list[str]:
    """Servers for all projects that are also in the kept copy, but not served by the gateway."""
    others = [raw.name for raw in file.other_servers if raw.project is None]
    return [name for name in others if name not in found.moved]


def _clear_stale(data: Path, folder: Path, manifest: originals.Manifest) -> None:
    """Remove the same original if a crash left it after it was kept and before the file was changed."""
    for stale in originals.all_kept(data):
        same = stale.manifest.original_sha256 == manifest.original_sha256
        if same and stale.manifest.target == manifest.target and stale.folder != folder:
            originals.let_go(stale.folder)


def _already(
    file: opened.OpenedConfig,
    wrapped_entry: opened.WrappedEntry,
    found: Moving,
    surface: str,
    *,
    dry_run: bool,
) -> Wrapping:
    kept = originals.kept_by(wrapped_entry.copy)
    if kept is None or not kept.copy.is_file():
        raise errors.ConfigError(
            f"is wrapped, but {points_to_nothing(wrapped_entry.copy, file.path)}", file.path
        )
    added = (Stay(name, "was added later; unwrap and wrap again to move it too") for name in found.moved)
    stays = (stay for stay in found.stays if stay.server != wrapped_entry.server)
    entry = opened.section_of(file.document.value, file.section or ())[wrapped_entry.server]
    before = gateway_command.serve_options(list(gateway_command.texts_in(entry))).surface
    done = Wrapping(
        path=file.path,
        client=file.client,
        state="already wrapped",
        server=wrapped_entry.server,
        entry=entry,
        moved=kept.manifest.moved,
        stays=(*added, *stays, *_elsewhere(file)),
        kept=wrapped_entry.copy,
        surface=before,
    )
    if surface in ("", before):
        return done
    new = _with_surface(file, wrapped_entry.server, surface)
    changed = replace(done, entry=new.entry, surface=surface, former_surface=before)
    if dry_run:
        return replace(changed, state="surface would be changed")
    files.replace_if_unchanged(file.target, new.file.data, file.data)
    if originals.digest(file.data) == kept.manifest.wrapped_sha256:  # so that unwrapping restores every byte
        originals.rewrapped(kept, new.file.data)
    return replace(changed, state="surface changed")


class _Resurfaced(NamedTuple):
    file: opened.OpenedConfig
    entry: Mapping[str, Any]


def _with_surface(file: opened.OpenedConfig, server: str, surface: str) -> _Resurfaced:
    """The file with another surface in the gateway's arguments, and with the key that loads its tools where that is
    right. It is parsed again to verify that nothing else changed.
    """
    section = file.section or ()
    before = opened.section_of(file.document.value, section)[server]
    if not isinstance(before.get("args"), list):  # such as Zed's older nested form
        raise errors.ConfigError(_CANNOT_RESURFACE, file.path)
    values = {
        "args": gateway_command.with_surface(before["args"], surface),
        **_loading(file, before, surface),
    }
    entry = {key: value for key, value in {**before, **values}.items() if value is not None}
    try:
        new = file.with_text(file.rewrite.set_keys(file.text, section, server, values))
    except errors.ConfigError:
        raise errors.ConfigError(_CANNOT_RESURFACE, file.path) from None
    if new.document.value != replaced(file.document.value, (*section, server), entry):
        raise errors.ConfigError(_CANNOT_RESURFACE, file.path)
    return _Resurfaced(new, entry)


def _loading(file: opened.OpenedConfig, before: Mapping[str, Any], surface: str) -> dict[str, Any]:
    """What to change of the keys that load our tools at once (None: take it out); a user's own value stays."""
    wanted = gateway_command.loading_keys(file.client, surface)
    ours = gateway_command.loading_keys(file.client, AUTO_SURFACE)
    added = {key: value for key, value in wanted.items() if key not in before}
    return added | {
        key: None for key, value in ours.items() if key not in wanted and before.get(key) == value
    }


def points_to_nothing(copy: Path, path: Path) -> str:
    """What is wrong with a wrapped entry whose kept copy is gone, and how to get its servers back."""
    version = originals.stand_in(copy)
    if version is None:
        return f"its kept copy {copy} is missing, and so is its original; put its servers back by hand"
    return (
        f"its kept copy is missing; `toolbooth unwrap {shlex.quote(str(path))}` puts the servers back "
        f"from the original of {version.when:%Y-%m-%d %H:%M} UTC"
    )


def _elsewhere(file: opened.OpenedConfig) -> tuple[Stay, ...]:
    return tuple(
        Stay(raw.name, f"is for the project {raw.project}" if raw.project else "is in another section")
        for raw in file.other_servers
    )


def _without_key(file: opened.OpenedConfig, moved: Sequence[str]) -> tuple[str, ...]:
    """Remote servers without a header: their client may have signed in to them."""
    return tuple(
        raw.name for raw in file.own_servers if raw.name in moved and raw.command is None and not raw.headers
    )


def _nothing(file: opened.OpenedConfig, found: Moving) -> str:
    if file.format is opened.UNKNOWN:
        return "has no MCP servers; looked for mcpServers, servers, mcp_servers and context_servers"
    reasons = [f"{stay.server} {stay.reason}" for stay in (*found.stays, *_elsewhere(file))]
    more = f"; and {len(reasons) - _SHOWN_REASONS} more" if len(reasons) > _SHOWN_REASONS else ""
    return f"has no server that can move{': ' if reasons else ''}{'; '.join(reasons[:_SHOWN_REASONS])}{more}"
