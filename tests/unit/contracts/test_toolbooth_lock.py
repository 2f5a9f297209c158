"""`toolbooth.lock`: stable bytes, read back as it was, and whatever was done to it is named."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from toolbooth.contracts import (
    Acceptance,
    Budgets,
    Contracts,
    Economics,
    Lock,
    ServerContract,
    Signature,
    ToolContract,
    digest_of,
)
from toolbooth.contracts.toolbooth_lock import (
    lock_bytes,
    lock_digest,
    lock_sections,
    parse_lock,
    read_lock,
    server_digest,
    server_sections,
    tool_seal,
    whole_digest,
    write_lock,
)
from toolbooth.errors import ConfigError

HERE = Path("toolbooth.lock")
ISSUE = {"name": "create_issue", "description": "Öffnet ein Ticket.", "_meta": {"big": 2**70, "f": 1e22}}
GITHUB = ServerContract(
    "github",
    {
        "create_issue": ToolContract("github", "create_issue", ISSUE, 12, Economics("low", True, 3, 44)),
        "close": ToolContract("github", "close", {"name": "close"}, 2),
    },
    instructions="Ask first.",
    title="GitHub",
    version="1.2",
    prompts=({"name": "triage"},),
    resources=({"uri": "repo://x", "name": "x"},),
    templates=({"uriTemplate": "repo://{name}", "name": "repo"},),
)
LOCK = Lock(
    Contracts({"github": GITHUB, "mail": ServerContract("mail")}, "o200k_base"),
    Budgets(total=8000, tools={"*": 300}, growth_percent=12.5),
    (Acceptance("github.close", "", "nobody used it"),),
    Signature("a2V5", "c2lnbmF0dXJl"),
)


def damaged(change: Callable[[dict[str, Any]], object]) -> str:
    """What is said of the lock after this change to its text."""
    document = json.loads(lock_bytes(LOCK))
    change(document)
    with pytest.raises(ConfigError) as caught:
        parse_lock(json.dumps(document).encode(), HERE)
    return str(caught.value)


def resealed(document: dict[str, Any]) -> None:
    """As a program would forge it: every digest fits again."""
    for name, server in document["servers"].items():
        for tool in server["tools"].values():
            tool["digest"] = digest_of(tool["definition"])
            tool["seal"] = tool_seal(tool)
        server["sections"] = server_sections(server)
        server["digest"] = server_digest(name, server)
    document["sections"] = lock_sections(document)
    document["digest"] = whole_digest(document)


def test_a_lock_is_read_back_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "toolbooth.lock"
    write_lock(LOCK, path)
    assert read_lock(path) == LOCK
    assert lock_bytes(read_lock(path)) == path.read_bytes()


def test_the_order_in_which_servers_answer_does_not_show() -> None:
    servers = dict(reversed(list(LOCK.contracts.servers.items())))
    tools = dict(reversed(list(GITHUB.tools.items())))
    servers["github"] = ServerContract(**{**vars(GITHUB), "tools": tools})
    assert lock_bytes(
        Lock(Contracts(servers, "o200k_base"), LOCK.budgets, LOCK.accepted, LOCK.signature)
    ) == (lock_bytes(LOCK))


def test_a_lock_is_readable_and_ends_with_a_newline() -> None:
    text = lock_bytes(LOCK).decode()
    assert text.endswith("}\n")
    assert "Öffnet ein Ticket." in text
    assert str(2**70) in text


def test_a_signature_is_no_part_of_the_digest() -> None:
    assert lock_digest(LOCK) == lock_digest(Lock(LOCK.contracts, LOCK.budgets, LOCK.accepted))


def of_github(document: dict[str, Any]) -> Any:
    return document["servers"]["github"]


@pytest.mark.promise("contracts:edited")
@pytest.mark.parametrize(
    ("change", "named"),
    [
        (
            lambda d: of_github(d)["tools"]["create_issue"]["definition"].update(description="x"),
            "tool create_issue",
        ),
        (
            lambda d: of_github(d)["tools"]["create_issue"].update(tokens=11),
            "server github, tool create_issue",
        ),
        (
            lambda d: of_github(d)["tools"]["create_issue"]["economics"].update(risk="high"),
            "tool create_issue",
        ),
        (lambda d: of_github(d)["tools"]["close"].update(digest="0" * 64), "server github, tool close"),
        (lambda d: of_github(d)["tools"].pop("close"), "server github, section tools"),
        (lambda d: of_github(d)["tools"].update(shut=of_github(d)["tools"].pop("close")), "tool shut"),
        (lambda d: of_github(d).update(instructions="Do not ask."), "server github, section instructions"),
        (lambda d: of_github(d)["prompts"].append({"name": "x"}), "server github, section prompts"),
        (lambda d: of_github(d).update(digest=""), "server github was edited"),
        (lambda d: d["servers"].update(gitlab=d["servers"].pop("github")), "server gitlab was edited"),
        (lambda d: d["servers"].pop("mail"), "the section servers"),
        (lambda d: d["budgets"].update(total=9000), "the section budgets"),
        (lambda d: d["accepted"].clear(), "the section accepted"),
        (lambda d: d["accepted"][0].update(reason=""), "the section accepted"),
        (lambda d: d.update(encoding="cl100k_base"), "the head (encoding or digest)"),
        (lambda d: d.update(servers=[]), "the section servers"),
        (lambda d: d["servers"].update(mail=None), "server mail"),
        (lambda d: of_github(d).update(tools=[]), "server github, section tools"),
        (lambda d: of_github(d).update(sections=None), "server github, section instructions"),
    ],
)
def test_what_was_edited_by_hand_is_named(change: Callable[[dict[str, Any]], object], named: str) -> None:
    said = damaged(change)
    assert said.startswith(
        f"toolbooth.lock: {named}" if named.startswith(("server", "the")) else "toolbooth.lock: "
    )
    assert named in said
    assert "edited by hand" in said
    assert "restore it from version control" in said


@pytest.mark.promise("contracts:edited")
@pytest.mark.parametrize(
    ("change", "named"),
    [
        (lambda d: d.update(extra=1), "the lock was edited by hand (the key 'extra' is unknown)"),
        (lambda d: of_github(d).update(extra=1), "server github was edited by hand (the key 'extra'"),
        (lambda d: of_github(d)["tools"]["close"].update(x=1), "tool close was edited by hand (the key 'x'"),
        (
            lambda d: of_github(d)["sections"].update(x="1"),
            "section sections was edited by hand (the key 'x'",
        ),
        (lambda d: d.pop("budgets"), "the lock was edited by hand (the key 'budgets' is missing)"),
        (lambda d: d["signature"].pop("key"), "the section signature was edited by hand (the key 'key'"),
        (
            lambda d: d["signature"].update(key=1),
            "the section signature was edited by hand (key is not a string)",
        ),
    ],
)
def test_keys_that_nobody_knows_or_that_are_gone_are_named(
    change: Callable[[dict[str, Any]], object], named: str
) -> None:
    assert named in damaged(change)


@pytest.mark.parametrize(
    "change",
    [
        lambda d: of_github(d)["tools"]["close"].update(tokens=True),
        lambda d: of_github(d)["tools"]["close"].update(economics={}),
        lambda d: of_github(d)["tools"]["close"].update(economics={**Economics().as_json(), "bounded": 1}),
        lambda d: of_github(d)["tools"]["close"]["definition"].update(inputSchema=[]),
        lambda d: of_github(d).update(prompts={}),
        lambda d: of_github(d).update(resources=[1]),
        lambda d: of_github(d).update(title=None),
        lambda d: d.update(budgets={"total": "8000"}),
        lambda d: d.update(accepted=[{"what": 1, "digest": "", "reason": ""}]),
        lambda d: d.update(encoding=1),
    ],
)
def test_a_forged_lock_whose_digests_fit_is_still_of_the_right_shape(
    change: Callable[[dict[str, Any]], object],
) -> None:
    def forged(document: dict[str, Any]) -> None:
        change(document)
        resealed(document)

    assert "edited by hand" in damaged(forged)


def test_a_lock_of_a_newer_format_asks_for_a_newer_toolbooth() -> None:
    assert "has lock format 3, but this Toolbooth reads up to 2" in damaged(lambda d: d.update(version=3))


@pytest.mark.promise("lock:who-accepted")
def test_an_older_lock_is_read_and_written_as_it_was_until_something_is_accepted(tmp_path: Path) -> None:
    old = replace(LOCK, accepted=(Acceptance("a.b", "digest", "why"),))
    path = tmp_path / "toolbooth.lock"
    write_lock(old, path)
    written = json.loads(path.read_text())
    assert (written["version"], written["accepted"]) == (
        1,
        [{"what": "a.b", "digest": "digest", "reason": "why"}],
    )
    assert lock_digest(read_lock(path)) == written["digest"], "a signature over it still holds"
    new = old.with_accepted([Acceptance("a.c", "digest", "why", "2026-11-18T08:00:00Z", "anna", ("a-rule",))])
    write_lock(new, path)
    assert read_lock(path) == new
    assert json.loads(path.read_text())["version"] == 2


@pytest.mark.parametrize("version", [0, None, "1", True, 0.5])
def test_a_lock_without_a_version_is_refused(version: object) -> None:
    assert "no valid format version" in damaged(lambda d: d.update(version=version))


@pytest.mark.promise("contracts:truncated")
@pytest.mark.parametrize("share", [0.01, 0.3, 0.9, 0.999])
def test_a_truncated_lock_is_refused_with_the_place(share: float) -> None:
    data = lock_bytes(LOCK)[: int(len(lock_bytes(LOCK)) * share)]
    with pytest.raises(ConfigError, match="is truncated or not JSON") as caught:
        parse_lock(data, HERE)
    assert caught.value.line == data.count(b"\n") + 1
    assert caught.value.column is not None


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "is empty"),
        (b"[]", "is not a lock"),
        (b'{"format": "toolbooth-catalog"}', "is not a lock"),
        (b'{\n<<<<<<< HEAD\n"format": 1', "has a merge conflict"),
        (b"\xff\xfe", "is truncated or not JSON"),
    ],
)
def test_what_is_no_lock_at_all_is_said(data: bytes, said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        parse_lock(data, HERE)


@pytest.mark.parametrize("value", [float("nan"), "\ud800"], ids=["nan", "lone surrogate"])
def test_what_could_not_be_read_back_is_not_written(value: object, tmp_path: Path) -> None:
    tool = ToolContract("mail", "odd", {"name": "odd", "x": value})
    path = tmp_path / "toolbooth.lock"
    with pytest.raises(ConfigError, match="was not written"):
        write_lock(Lock(Contracts({"mail": ServerContract("mail", {"odd": tool})})), path)
    assert not list(tmp_path.iterdir())


def test_a_lock_in_a_folder_that_is_not_there_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be written"):
        write_lock(LOCK, tmp_path / "no" / "toolbooth.lock")
    with pytest.raises(ConfigError, match="there is no such file"):
        read_lock(tmp_path / "toolbooth.lock")


def test_the_last_reason_for_a_thing_is_kept() -> None:
    lock = LOCK.with_accepted([Acceptance("github.close", "f", "back"), Acceptance("a.b", "e", "new")])
    assert [(each.what, each.reason) for each in lock.accepted] == [("a.b", "new"), ("github.close", "back")]


def test_twenty_thousand_tools_are_locked_and_read_back(tmp_path: Path) -> None:
    tools = {
        f"t{number}": ToolContract("big", f"t{number}", {"name": f"t{number}"}) for number in range(20_000)
    }
    write_lock(Lock(Contracts({"big": ServerContract("big", tools)})), tmp_path / "toolbooth.lock")
    assert len(read_lock(tmp_path / "toolbooth.lock").contracts.tools()) == 20_000
