"""What is approved: by digest, by a lock, and by nothing else."""

import pytest

from toolbooth.contracts import Approvals, ApprovalState, changed_parts


def approvals(mode: str = "enforce") -> Approvals:
    made = Approvals(mode)  # type: ignore[arg-type]
    made.lock({"s": {"a": "1", "b": "2"}})
    made.offer("s", {"a": "1", "b": "3", "c": "4"})
    return made


def test_a_tool_is_approved_pending_or_changed() -> None:
    found = approvals()
    states = [found.state_of("s", tool) for tool in "abcd"]
    assert states == [ApprovalState.APPROVED, ApprovalState.CHANGED, ApprovalState.PENDING, None]
    assert found.counts("s") == {
        ApprovalState.APPROVED: 1,
        ApprovalState.PENDING: 1,
        ApprovalState.CHANGED: 1,
    }
    assert found.differing("s") == {"b": ApprovalState.CHANGED, "c": ApprovalState.PENDING}
    assert found.counts("t") == dict.fromkeys(ApprovalState, 0)


@pytest.mark.parametrize(("mode", "passing"), [("enforce", "a"), ("warn", "abc"), ("off", "abc")])
def test_only_enforce_holds_anything_back(mode: str, passing: str) -> None:
    found = approvals(mode)
    assert [tool for tool in "abcd" if found.passes("s", tool)] == list(passing)


def test_before_the_first_lock_nothing_is_approved() -> None:
    found = Approvals()
    found.offer("s", {"a": "1"})
    assert not found.passes("s", "a")
    found.lock({"s": {"a": "1"}})
    assert found.passes("s", "a")


def test_a_new_lock_is_all_that_counts() -> None:
    found = approvals()
    found.lock({"s": {"b": "3"}})
    assert [tool for tool in "abc" if found.passes("s", tool)] == ["b"]
    found.lock({})
    assert not any(found.passes("s", tool) for tool in "abc")


def test_the_same_tool_of_another_server_is_not_approved_with_it() -> None:
    found = approvals()
    found.offer("t", {"a": "1"})
    assert found.state_of("t", "a") is ApprovalState.PENDING


def test_a_server_that_is_gone_has_no_standing() -> None:
    found = approvals()
    found.forget("s")
    found.forget("never there")
    assert found.state_of("s", "a") is None
    assert not found.passes("s", "a")


def test_what_changed_is_named_in_words_of_the_protocol_alone() -> None:
    locked = {"name": "a", "description": "x", "inputSchema": {"type": "object", "title": "t"}}
    assert changed_parts(locked, {**locked, "inputSchema": {"title": "t", "type": "object"}}) == ()
    assert changed_parts(locked, {"name": "a", "description": "x", "annotations": {}}) == (
        "inputSchema",
        "annotations",
    )
    assert changed_parts(locked, {**locked, "obey": 1, "description": None}) == ("description", "other keys")
    assert changed_parts({"_meta": 1}, {"_meta": True}) == ("_meta",)
