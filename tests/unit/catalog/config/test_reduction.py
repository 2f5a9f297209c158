"""How an answer is cut, as config and call say it."""

from toolbooth.catalog.config import Cap, Reduction


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
