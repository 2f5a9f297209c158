"""Accepting changes: all or the named ones, with the reason, and nothing else."""

import pytest

from toolbooth.contracts import Acceptance, Budgets, Contracts, Lock, ServerContract, Signature, ToolContract
from toolbooth.contracts.acceptance import accept, changed_things
from toolbooth.errors import UserMistake


def server(name: str, said: str = "", **tools: str) -> ServerContract:
    made = {
        tool: ToolContract(name, tool, {"name": tool, "description": words}) for tool, words in tools.items()
    }
    return ServerContract(name, made, instructions=said)


def contracts(*servers: ServerContract) -> Contracts:
    return Contracts({each.server: each for each in servers})


OLD = contracts(server("mail", "Ask.", send="Sends.", drop="Drops."), server("disk", read="Reads."))
NEW = contracts(server("mail", "Act.", send="Sends all.", list="Lists."), server("wiki", read="Reads."))
LOCK = Lock(OLD, Budgets(total=9), signature=Signature("k", "v"))


def test_everything_that_changed_is_named_once() -> None:
    things = changed_things(OLD, NEW)
    assert list(things) == [
        "disk", "disk.read", "mail", "mail.drop", "mail.list", "mail.send", "wiki", "wiki.read",
    ]  # fmt: skip
    assert [what for what, digest in things.items() if not digest] == ["disk", "disk.read", "mail.drop"]
    assert things["mail.send"] == NEW.servers["mail"].tools["send"].digest
    assert changed_things(OLD, OLD) == {}


def test_all_changes_are_accepted_with_their_reason_and_the_old_signature_is_dropped() -> None:
    lock = accept(LOCK, NEW, [], "we looked")
    assert changed_things(lock.contracts, NEW) == {}
    assert {each.reason for each in lock.accepted} == {"we looked"}
    assert {each.what for each in lock.accepted} == set(changed_things(OLD, NEW))
    assert (lock.budgets, lock.signature) == (LOCK.budgets, None)


@pytest.mark.parametrize(
    ("name", "left"),
    [
        ("mail.send", {"disk", "disk.read", "mail", "mail.drop", "mail.list", "wiki", "wiki.read"}),
        ("mail.drop", {"disk", "disk.read", "mail", "mail.list", "mail.send", "wiki", "wiki.read"}),
        ("mail.list", {"disk", "disk.read", "mail", "mail.drop", "mail.send", "wiki", "wiki.read"}),
        ("list", {"disk", "disk.read", "mail", "mail.drop", "mail.send", "wiki", "wiki.read"}),
        ("mail", {"disk", "disk.read", "wiki", "wiki.read"}),
        ("disk", {"mail", "mail.drop", "mail.list", "mail.send", "wiki", "wiki.read"}),
        ("wiki", {"disk", "disk.read", "mail", "mail.drop", "mail.list", "mail.send"}),
    ],
)
def test_only_named_changes_are_accepted(name: str, left: set[str]) -> None:
    lock = accept(LOCK, NEW, [name], "one by one")
    assert set(changed_things(lock.contracts, NEW)) == left


def test_the_rest_of_the_lock_does_not_change() -> None:
    lock = accept(LOCK, NEW, ["mail.send"], "why")
    mail = lock.contracts.servers["mail"]
    assert mail.instructions == "Ask."
    assert set(mail.tools) == {"send", "drop"}
    assert lock.accepted == (Acceptance("mail.send", NEW.servers["mail"].tools["send"].digest, "why"),)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("read", "read may be disk.read or wiki.read"),
        ("mail.sent", "did you mean mail.send?"),
        ("xyz", "name a changed tool as server.tool"),
    ],
)
def test_an_unknown_or_ambiguous_name_is_refused(name: str, said: str) -> None:
    with pytest.raises(UserMistake, match=said):
        accept(LOCK, NEW, [name], "why")


@pytest.mark.parametrize("name", ["mail", "mail.send"])
def test_an_unchanged_tool_cannot_be_accepted(name: str) -> None:
    with pytest.raises(UserMistake, match="did not change"):
        accept(LOCK, OLD, [name], "why")
