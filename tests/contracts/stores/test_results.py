"""What every store of kept results must do."""

import random
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.contracts.stores.factories import (
    RESULT_AGE,
    RESULT_BYTES,
    Place,
    Stores,
    finished,
    said_until_killed,
)
from toolbooth.store import FoundResult, ResultEntry

NOW = 1_000_000.0
TEXTS = ["", "plain", "half \ud800 a pair", "a NUL \0 inside", "é" * 5000, "the same again " * 20_000]


def entry(ref: str, text: str = "a text", owner: str = "me", kept: float = NOW) -> ResultEntry:
    return ResultEntry(ref, owner, text, kept)


def noise(size: int) -> str:
    return random.Random(size).randbytes(size // 2).hex()


@pytest.mark.parametrize("text", TEXTS)
def test_any_text_comes_back_as_it_was_kept(stores: Stores, text: str) -> None:
    stores.results.put([entry("a", text)], NOW)
    assert stores.results.get("a", "me") == FoundResult(text, NOW)


def test_a_ref_is_found_by_its_owner_alone(stores: Stores) -> None:
    stores.results.put([entry("a"), entry("a", "another text", owner="key:1/me")], NOW)
    assert stores.results.get("a", "me") == FoundResult("a text", NOW)
    assert stores.results.get("a", "key:1/me") == FoundResult("another text", NOW)
    assert stores.results.get("a", "somebody") is None
    assert stores.results.get("b", "me") is None


@pytest.mark.parametrize("owner", ["half \ud800 a pair", "NUL \0", "x" * 5000])
def test_odd_owners_and_refs_are_told_apart(stores: Stores, owner: str) -> None:
    stores.results.put([entry(owner, owner=owner)], NOW)
    assert stores.results.get(owner, owner) == FoundResult("a text", NOW)
    assert stores.results.get(owner, f"{owner}x") is None


def test_forgetting_takes_all_of_these_owners_and_nothing_else(stores: Stores) -> None:
    stores.results.put([entry("a"), entry("b"), entry("c", owner="you"), entry("d", owner="she")], NOW)
    stores.results.forget(["me", "you", "nobody"])
    assert [stores.results.get(ref, owner) for ref, owner in (("a", "me"), ("b", "me"), ("c", "you"))] == [
        None
    ] * 3
    assert stores.results.get("d", "she") == FoundResult("a text", NOW)


def test_what_is_too_old_has_expired_and_is_still_known(stores: Stores) -> None:
    stores.results.put([entry("old"), entry("new", kept=NOW + RESULT_AGE / 2)], NOW)
    stores.results.expire(NOW + RESULT_AGE + 1)
    assert stores.results.get("old", "me") == FoundResult(None, NOW)
    assert stores.results.get("new", "me") == FoundResult("a text", NOW + RESULT_AGE / 2)


def test_the_oldest_make_room(stores: Stores) -> None:
    for number in range(10):
        stores.results.put([entry(str(number), noise(RESULT_BYTES // 2), kept=NOW + number)], NOW + number)
    kept = [
        (stores.results.get(str(number), "me") or FoundResult(None, 0)).text is not None
        for number in range(10)
    ]
    assert kept[-1]
    assert not kept[0]
    assert kept == sorted(kept)


def test_the_same_ref_again_replaces_its_text(stores: Stores) -> None:
    stores.results.put([entry("a")], NOW)
    stores.results.put([entry("a", "a newer text")], NOW)
    assert stores.results.get("a", "me") == FoundResult("a newer text", NOW)


def test_another_process_finds_what_one_has_kept(place: Place, stores: Stores) -> None:
    code = "results.put([ResultEntry(f'{number}', 'me', f'text {number}', 1e6) for number in range(20)], 1e6)"
    finished([place.process(code), place.process(code.replace("'me'", "'you'"))])
    assert stores.results.get("7", "me") == FoundResult("text 7", NOW)
    assert stores.results.get("7", "you") == FoundResult("text 7", NOW)
    assert not stores.notes


def test_any_number_of_threads_keep_and_find_at_once(stores: Stores) -> None:
    def work(number: int) -> bool:
        owner = f"owner {number}"
        stores.results.put([entry(f"{each}", f"{owner} {each}", owner) for each in range(50)], NOW)
        stores.results.forget([f"nobody {number}"])
        return stores.results.get("7", owner) == FoundResult(f"{owner} 7", NOW)

    with ThreadPoolExecutor(8) as threads:
        assert list(threads.map(work, range(60))) == [True] * 60
    assert not stores.notes


@pytest.mark.promise("result:restart")
def test_a_kill_in_mid_write_loses_nothing_that_was_kept(place: Place) -> None:
    code = (
        "for number in range(10**6):\n"
        "    results.put([ResultEntry(f'{number}', 'me', f'text {number} ' * 50, 1e6 + number / 1e6)], 1e6)\n"
        "    say(number)"
    )
    said = said_until_killed(place.process(code), 12)
    assert len(said) >= 12
    with place.opened() as stores:
        for number in said:
            expected = FoundResult(f"text {number} " * 50, NOW + int(number) / 1e6)
            assert stores.results.get(number, "me") == expected
        assert not stores.notes
