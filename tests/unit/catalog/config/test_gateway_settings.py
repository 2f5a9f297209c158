"""How the gateway behaves, as `toolbooth.yaml` says it."""

from pathlib import Path

import pytest
from tests.unit.catalog.config.conftest import Read

from toolbooth.catalog.config import (
    AnswerCaps,
    Cap,
    CapRule,
    Enforcement,
    GatewaySettings,
    Reduction,
    merge,
    read_config,
)
from toolbooth.errors import ConfigError

CONFIG = """
surface: direct
always_visible: [github.create_issue, search_web]
slim: false
scripts: tools/scripts
gateway: {idle_stop: 0, daemon_idle: 60, warm_up: false, manage_servers: true, code_timeout: 30, code_calls: 7}
servers:
  a: {command: x, concurrency: 2, call_timeout: 5, idle_stop: 1.5}
  b: {url: "https://x.dev/mcp"}
"""


def test_every_key_is_read(read: Read, home: Path) -> None:
    settings = merge([read("toolbooth.yaml", CONFIG)]).gateway
    assert (type(settings.code_timeout), type(settings.code_calls)) == (float, int)
    assert settings == GatewaySettings(
        surface="direct",
        always_visible=("github.create_issue", "search_web"),
        slim=False,
        idle_stop=0.0,
        daemon_idle=60.0,
        warm_up=False,
        manage_servers=True,
        code_timeout=30.0,
        code_calls=7,
        scripts=str(home / "tools" / "scripts"),
    )


def test_a_server_has_bounds_of_its_own(read: Read) -> None:
    a, b = read("toolbooth.yaml", CONFIG).servers
    assert (a.concurrency, a.call_timeout, a.idle_stop) == (2, 5.0, 1.5)
    assert (b.concurrency, b.call_timeout, b.idle_stop) == (16, 60.0, None)


def test_of_several_files_the_first_that_sets_a_key_wins(read: Read) -> None:
    files = [
        read("1.json", '{"mcpServers": {}}'),
        read("one/toolbooth.yaml", "surface: full\ngateway: {warm_up: false}\nalways_visible:\n"),
        read(
            "two/toolbooth.yaml",
            "surface: search\nalways_visible: [x]\ngateway: {warm_up: true, idle_stop: 5}\n",
        ),
    ]
    settings = merge(files).gateway
    assert (settings.surface, settings.warm_up) == ("full", False)
    assert (settings.always_visible, settings.idle_stop) == (("x",), 5.0)


@pytest.mark.parametrize(
    ("written", "place"),
    [
        ("mine", "home/sub/mine"),
        ("./mine", "home/sub/mine"),
        ("~/mine", "home/mine"),
        ('"~"', "home"),
        ("/mine", "/mine"),
    ],
)
def test_the_folder_of_scripts_starts_at_the_file_or_at_home(
    read: Read, tmp_path: Path, written: str, place: str
) -> None:
    settings = merge([read("sub/toolbooth.yaml", f"scripts: {written}\n")]).gateway
    assert settings.scripts == str(tmp_path / place)
    assert merge([read("toolbooth.yaml", "surface: full\n")]).gateway.scripts is None


def test_of_several_files_each_has_its_own_start(read: Read, home: Path) -> None:
    files = [read("one/toolbooth.yaml", "slim: true\n"), read("two/mine.yml", "scripts: s\n")]
    assert merge(files).gateway.scripts == str(home / "two" / "s")


def test_settings_alone_make_a_file_ours_under_any_name(read: Read) -> None:
    assert read("mine.yml", "surface: full\n").gateway == {"surface": "full"}


@pytest.mark.parametrize(
    ("text", "line", "column", "says"),
    [
        ("surface: tiny\n", 1, 10, "surface must be one of search, full, code, direct"),
        ("always_visible: github.x\n", 1, 17, "always_visible must be a list"),
        ("always_visible:\n  - ''\n", 2, 5, "always_visible[0] must be text, and not empty"),
        (
            "gateway:\n  idle_stop: -1\n",
            2,
            14,
            "gateway.idle_stop must be a number of seconds, or 0 for never",
        ),
        ("gateway:\n  warmup: true\n", 2, 3, "unknown key 'warmup' in gateway; did you mean 'warm_up'?"),
        ("scripts: ''\n", 1, 10, "scripts must be text, and not empty"),
        ("scripts: {a: b}\n", 1, 10, "scripts must be text, and not empty"),
        (
            "gateway:\n  code_calls: 1.5\n",
            2,
            15,
            "gateway.code_calls must be a whole number above 0",
        ),
        (
            "gateway:\n  code_timeout: 0\n",
            2,
            17,
            "gateway.code_timeout must be a number of seconds above 0",
        ),
        ("servers:\n  a: {concurrency: 0}\n", 2, 20, "servers.a.concurrency must be a whole number above 0"),
        ("servers:\n  a: {call_timeout: 0}\n", 2, 21, "servers.a.call_timeout must be a number of seconds"),
    ],
)
def test_a_mistake_is_placed_and_explained(
    read: Read, home: Path, text: str, line: int, column: int, says: str
) -> None:
    with pytest.raises(ConfigError) as caught:
        read("toolbooth.yaml", text)
    assert (caught.value.line, caught.value.column) == (line, column)
    assert says in caught.value.message


# -- contracts ---------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("text", "mode", "lock", "key"),
    [
        ("contracts: enforce\n", "enforce", "toolbooth.lock", None),
        ("contracts: warn\n", "warn", "toolbooth.lock", None),
        ("contracts: off\n", "off", "toolbooth.lock", None),
        ("contracts: {lock: locks/a.lock}\n", "enforce", "locks/a.lock", None),
        ("contracts: {mode: warn, lock: /b.lock, verify_key: k.pub}\n", "warn", "/b.lock", "k.pub"),
        ("contracts: {verify_key: 'env:KEY'}\n", "enforce", "toolbooth.lock", "env:KEY"),
    ],
)
def test_the_lock_lies_beside_the_file_that_names_it(
    tmp_path: Path, text: str, mode: str, lock: str, key: str | None
) -> None:
    path = tmp_path / "toolbooth.yaml"
    path.write_text(f"servers: {{}}\n{text}")
    found = GatewaySettings.of([read_config(path, {"HOME": "/home/me"}).gateway]).contracts
    placed = key if key is None or key.startswith("env:") else str(tmp_path / key)
    assert found == Enforcement(mode, str(tmp_path / lock), placed)  # type: ignore[arg-type]


def test_a_lock_below_the_home_and_no_contracts_at_all(tmp_path: Path) -> None:
    path = tmp_path / "toolbooth.yaml"
    path.write_text("contracts: {lock: ~/my.lock}\n")
    environ = {"HOME": "/home/me"}
    assert read_config(path, environ).gateway["contracts"].lock == "/home/me/my.lock"
    path.write_text("surface: full\ncontracts:\n")
    settings = GatewaySettings.of([read_config(path, environ).gateway])
    assert settings.contracts == Enforcement()
    assert settings.contracts.mode == "off"


@pytest.mark.parametrize(
    ("text", "line", "column", "words"),
    [
        ("contracts: on\n", 1, 12, "contracts must be one of enforce, warn, off, or a map of keys"),
        ("contracts: true\n", 1, 12, "contracts must be one of enforce, warn, off, or a map of keys"),
        ("contracts: {mode: forced}\n", 1, 19, "contracts.mode must be one of enforce, warn, off"),
        ("contracts: {lok: x}\n", 1, 13, "unknown key 'lok' in contracts; did you mean 'lock'?"),
        ("contracts: {lock: ''}\n", 1, 19, "contracts.lock must be text, and not empty"),
    ],
)
def test_a_mistake_in_contracts_has_its_place(
    tmp_path: Path, text: str, line: int, column: int, words: str
) -> None:
    path = tmp_path / "toolbooth.yaml"
    path.write_text(text)
    with pytest.raises(ConfigError) as caught:
        read_config(path, {})
    assert (caught.value.line, caught.value.column, caught.value.message) == (line, column, words)


def test_no_rule_is_no_cap() -> None:
    assert AnswerCaps().cap_for("a.b") == Cap(None, None)


def test_the_most_exact_pattern_wins_for_each_field() -> None:
    caps = AnswerCaps.of(
        {
            "github.list_issues": {"limit": 5},
            "*": {"max_bytes": 100},
            "github.*": {"max_bytes": 50, "limit": 50},
        }
    )
    assert caps.cap_for("github.list_issues") == Cap(max_bytes=50, limit=5)
    assert caps.cap_for("github.other") == Cap(50, 50)
    assert caps.cap_for("fs.read") == Cap(100, None)


def test_case_and_dots_are_taken_as_they_are() -> None:
    caps = AnswerCaps.of({"a.b": {"limit": 1}, "empty.*": None})
    assert caps.cap_for("A.b") == caps.cap_for("axb") == caps.cap_for("empty.x") == Cap()


def test_of_equal_patterns_the_later_wins() -> None:
    caps = AnswerCaps.of({"a.*": {"limit": 1}}).plus(CapRule("a.*", Cap(limit=2)))
    assert caps.cap_for("a.b").limit == 2


def test_single_keys_change_and_others_stay() -> None:
    changed = Reduction().changed({"collapse": False, "max_bytes": 9000})
    assert (changed.collapse, changed.max_bytes, changed.chunks, changed.on) == (False, 9000, True, True)


def test_false_is_all_of_it() -> None:
    assert not Reduction().changed(False).on
    assert Reduction().changed(False).changed(True).on
    assert Reduction().changed(None) == Reduction()


def test_a_cap_is_not_lifted_by_a_call() -> None:
    capped = Reduction().capped(Cap(max_bytes=2000))
    assert capped.changed({"max_bytes": 50_000}).max_bytes == 2000
    assert capped.changed({"max_bytes": 500}).max_bytes == 500


def test_a_tool_has_its_own_limit_and_keys() -> None:
    tool = Reduction(chunks=False).capped(Cap(limit=5, reduce={"blobs": False}))
    assert (tool.limit, tool.blobs, tool.chunks) == (5, False, False)
