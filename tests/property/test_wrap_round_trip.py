"""Any config, however it is written: wrapped it says the same but for its servers, unwrapped it has its old bytes."""

import json
import tempfile
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from hypothesis import assume, given, settings, strategies as st

from toolbooth.catalog.config import WrapOptions, parse_document, read_config, unwrap, wrap
from toolbooth.catalog.config.merging import clean_name

ODD = st.text(st.sampled_from('ab/*,]}[{:"\\ \n\té€𝄞#$'), max_size=6)
NAMES = st.text(st.sampled_from("abcXYZ_-é /*:"), min_size=1, max_size=6).filter(str.strip)
PLAIN = st.none() | st.booleans() | st.integers() | ODD
SETTINGS = st.dictionaries(
    st.sampled_from(["theme", "x", "é", "font//size", "a b", "inputs"]),
    st.recursive(PLAIN, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(ODD, inner, max_size=3)),
    max_size=4,
)
# No `$` or `.` here: what a variable stands for, and where a path starts, is another test's.
WORDS = st.text(st.sampled_from('ab/*,]}[{:"\\ \n\té€𝄞#'), min_size=1, max_size=6).filter(
    lambda text: text.strip() and not text.startswith("toolbooth")
)
SERVERS = st.dictionaries(
    NAMES,
    st.fixed_dictionaries(
        {"command": WORDS}, optional={"args": st.lists(WORDS, max_size=3), "disabled": st.booleans()}
    )
    | st.fixed_dictionaries({"url": st.just("https://x.dev/mcp"), "headers": st.just({"K": "v"})}),
    min_size=1,
    max_size=4,
)
SECTIONS: Mapping[str, tuple[str, ...]] = {
    "mcp.json": ("mcpServers",),
    ".vscode/mcp.json": ("servers",),
    "Code/User/settings.json": ("mcp", "servers"),
    "zed/settings.json": ("context_servers",),
    "plugin.json": (),
}
BETWEEN = st.sampled_from(
    ["", "", " ", "\n", "\n  ", "\t", '// , ] } " x\n', '/* , ] " \n // */', "/***/", " //\n", "/*é*/"]
)


@contextmanager
def file(name: str, data: bytes) -> Iterator[tuple[Path, WrapOptions]]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "home" / name
        path.parent.mkdir(parents=True)
        path.write_bytes(data)
        yield path, WrapOptions(["/opt/bin/toolbooth"], Path(folder) / "data")


def tokens(value: Any) -> list[str]:
    if isinstance(value, dict):
        inner = [[json.dumps(key, ensure_ascii=False), ":", *tokens(entry)] for key, entry in value.items()]
        return ["{", *joined(inner), "}"]
    if isinstance(value, list):
        return ["[", *joined([tokens(entry) for entry in value]), "]"]
    return [json.dumps(value, ensure_ascii=False)]


def joined(parts: list[list[str]]) -> list[str]:
    spread = [token for part in parts for token in (*part, ",")]
    return [*spread[:-1], "TRAILING"] if parts else []


def written(draw: st.DrawFn, value: Any) -> str:
    """As people write it: comments, trailing commas and blanks anywhere, or as programs do."""
    style = draw(st.sampled_from(["free", "free", None, 2, "\t"]))
    if style != "free":
        return json.dumps(value, indent=style, ensure_ascii=False)
    pieces = []
    for token in tokens(value):
        comma = draw(st.sampled_from(["", ","])) if token == "TRAILING" else ""
        pieces += [draw(BETWEEN), comma if token == "TRAILING" else token]
    return "".join(pieces) + draw(BETWEEN)


def nested(path: tuple[str, ...], servers: Any, others: dict[str, Any]) -> Any:
    value = servers
    for depth, key in enumerate(reversed(path)):
        value = {**others, key: value} if depth == len(path) - 1 else {key: value}
    return value


@st.composite
def json_files(draw: st.DrawFn) -> tuple[str, bytes]:
    name = draw(st.sampled_from(sorted(SECTIONS)))
    path = SECTIONS[name]
    value = nested(path, draw(SERVERS), draw(SETTINGS))
    section_first: bool = draw(st.booleans())
    if path and section_first:
        value = dict(reversed(value.items()))
    text = written(draw, value)
    text = text.replace("\n", "\r\n") if draw(st.booleans()) else text
    return name, (b"\xef\xbb\xbf" if draw(st.booleans()) else b"") + text.encode()


def at(value: Any, path: tuple[str, ...]) -> Any:
    for key in path:
        value = value[key]
    return value


def check_round_trip(name: str, data: bytes, path: tuple[str, ...]) -> None:
    with file(name, data) as (config, gateway):
        before = parse_document(config).value
        on = {
            server
            for server, entry in at(before, path).items()
            if not entry.get("disabled") and entry.get("enabled") is not False
        }
        assume(on)
        assume(
            len({clean_name(server) for server in on}) == len(on)
        )  # of one name here, equal servers are one
        done = wrap(config, gateway, {"HOME": str(config.parent)})
        after = parse_document(config).value
        assert set(done.moved) == on
        section = at(after, path)
        assert section.pop(done.server)["args"][0] == "serve"
        assert section == {key: entry for key, entry in at(before, path).items() if key not in on}
        for server in on:
            section[server] = at(before, path)[server]
        assert after == before  # and all else is as it was
        found = read_config(config, {})
        assert [spec.command for spec in found.servers] == ["/opt/bin/toolbooth"]
        kept = read_config(done.kept, {})
        assert len(kept.servers) + len(kept.problems) == len(on)
        assert wrap(config, gateway, {}).state == "already wrapped"
        assert unwrap(config, gateway.data).state == "restored"
        assert config.read_bytes() == data
        assert not any((gateway.data / "wrapped").iterdir())


@settings(max_examples=100, deadline=None)
@given(json_files())
def test_a_json_config_comes_back_byte_for_byte(case: tuple[str, bytes]) -> None:
    check_round_trip(*case, SECTIONS[case[0]])


@settings(max_examples=50, deadline=None)
@given(json_files(), st.data())
def test_what_changed_elsewhere_since_stays(case: tuple[str, bytes], data: st.DataObject) -> None:
    name, original = case
    path = SECTIONS[name]
    with file(name, original) as (config, gateway):
        before = parse_document(config).value
        assume(any(not entry.get("disabled") for entry in at(before, path).values()))
        wrap(config, gateway, {})
        value = parse_document(config).value
        at(value, path)["added since"] = at(before, path)["added since"] = {"command": "new"}
        if path:
            value["changed since"] = before["changed since"] = [1]
        config.write_text(data.draw(st.composite(written)(value)), encoding="utf-8")
        assert unwrap(config, gateway.data).state == "servers put back"
        assert parse_document(config).value == before


def toml_key(name: str) -> str:
    return json.dumps(name, ensure_ascii=False)


@st.composite
def toml_files(draw: st.DrawFn) -> bytes:
    blank = st.sampled_from(["", "\n", "# note\n", "  # [not.a.header]\n", "\n\n# [x]\n"])
    blocks = []
    for name in draw(st.lists(NAMES, min_size=1, max_size=4, unique=True)):
        key = toml_key(name)
        lines = [draw(blank), f"[mcp_servers.{key}]\n", f"command = {toml_key(draw(WORDS))} # x\n"]
        lines += draw(
            st.sampled_from(
                [
                    [],
                    ['args = [\n "[y]", # ]\n "z",\n]\n'],
                    ["enabled = false\n"],
                    ['cwd = """\n/x [y]\n[z]\n"""\n'],
                    ["cwd = '''\n[mcp_servers.no]\n'''\n"],
                ]
            )
        )
        blocks.append("".join(lines))
        if draw(st.booleans()):
            blocks.append(f'{draw(blank)}[ mcp_servers . {key} . "env" ]\n"A b" = "v"\n{draw(blank)}')
    blocks += draw(
        st.lists(st.sampled_from(["[tui]\nx = 1\n", '[projects."/a.b"]\ny = [[1], [2]]\n']), unique=True)
    )
    text = "".join(
        [draw(st.sampled_from(["", 'model = "x"\n'])), *draw(st.permutations(blocks)), draw(blank)]
    )
    text = text.removesuffix("\n") if draw(st.booleans()) else text
    text = text.replace("\n", "\r\n") if draw(st.booleans()) else text
    return (b"\xef\xbb\xbf" if draw(st.booleans()) else b"") + text.encode()


@settings(max_examples=100, deadline=None)
@given(toml_files())
def test_a_toml_config_comes_back_byte_for_byte(data: bytes) -> None:
    check_round_trip(".codex/config.toml", data, ("mcp_servers",))


@settings(max_examples=50, deadline=None)
@given(toml_files(), st.booleans())
def test_toml_that_changed_elsewhere_keeps_the_change(data: bytes, more: bool) -> None:
    with file(".codex/config.toml", data) as (config, gateway):
        before = parse_document(config).value
        assume(any(table.get("enabled") is not False for table in before["mcp_servers"].values()))
        wrap(config, gateway, {})
        added = '\n[since]\nx = "[mcp_servers.y]"\n' + (
            '[mcp_servers."added since"]\ncommand = "n"\n' if more else ""
        )
        config.write_bytes(config.read_bytes() + added.encode())
        before |= {"since": {"x": "[mcp_servers.y]"}}
        before["mcp_servers"] |= {"added since": {"command": "n"}} if more else {}
        assert unwrap(config, gateway.data).state == "servers put back"
        assert tomllib.loads(config.read_text(encoding="utf-8-sig")) == before
