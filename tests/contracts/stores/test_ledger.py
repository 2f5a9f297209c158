"""What every ledger must do."""

import math
import time
from collections import Counter
from typing import Any

import pytest

from tests.contracts.stores.factories import Place, Stores, finished, said_until_killed
from tests.unit.gateway.ledger.rows import row
from toolbooth.limits import LEDGER_AGE, MAX_LEDGER_NAME
from toolbooth.store import Row, RowFilter, session_digest, storable

ALL = RowFilter()
NOW = time.time()
ROWS = [
    row(at=NOW - 30, tool="one", steps=("collapse", "chunk"), advisory="overload", risk="critical"),
    row(at=NOW - 20, tool="two", session="ffffffffffff", outcome="timeout", risk=None, estimated=True),
    row(at=NOW - 10, tool="three", server="files", kind="code_call", principal="key:1a"),
    row(at=NOW, tool="four", server="files", kind="discovery", bytes_before=2**40, principal="key:2b"),
]


def tools(rows: list[Row]) -> list[str]:
    return [each.tool for each in rows]


def test_rows_come_back_as_they_were_appended_the_latest_first(stores: Stores) -> None:
    stores.ledger.append(ROWS[:2])
    stores.ledger.append(ROWS[2:])
    assert stores.ledger.rows(ALL) == ROWS[::-1]


def test_an_empty_ledger_has_no_rows_and_sums_of_zero(stores: Stores) -> None:
    assert stores.ledger.rows(ALL) == []
    assert stores.ledger.statistics(ALL).totals.rows == 0
    assert stores.ledger.answers(ALL) == {}


@pytest.mark.parametrize(
    ("chosen", "found"),
    [
        ({"since": NOW - 20}, ["four", "three", "two"]),
        ({"until": NOW - 20}, ["one"]),
        ({"since": NOW - 20, "until": NOW}, ["three", "two"]),
        ({"session": "ffffffffffff"}, ["two"]),
        ({"session": "012345678901"}, []),
        ({"principal": "local"}, ["two", "one"]),
        ({"principal": "key:1a"}, ["three"]),
        ({"principal": "nobody"}, []),
        ({"server": "files"}, ["four", "three"]),
        ({"server": "github", "tool": "two"}, ["two"]),
        ({"kinds": ("code_call", "discovery")}, ["four", "three"]),
        ({"outcomes": ("timeout",)}, ["two"]),
        ({"limit": 2}, ["four", "three"]),
        ({"server": "files", "principal": "key:2b", "kinds": ("discovery",), "since": NOW - 1}, ["four"]),
    ],
)
def test_all_that_a_filter_names_must_match(stores: Stores, chosen: dict[str, Any], found: list[str]) -> None:
    stores.ledger.append(ROWS)
    assert tools(stores.ledger.rows(RowFilter(**chosen))) == found
    if "limit" not in chosen:
        assert stores.ledger.statistics(RowFilter(**chosen)).totals.rows == len(found)


def test_statistics_are_of_the_rows_that_match(stores: Stores) -> None:
    stores.ledger.append(ROWS)
    stats = stores.ledger.statistics(ALL)
    assert (stats.totals.rows, stats.totals.calls, stats.session_count) == (4, 3, 2)
    assert {each.principal: each.calls for each in stats.principals} == {
        "local": 2,
        "key:1a": 1,
        "key:2b": 0,
    }
    assert list(stores.ledger.answers(ALL)) == ["github.one", "files.three"]


ODD = ["half \ud800 a pair", "a NUL \0 inside", "x" * 5000, "名前", "'; DROP TABLE calls; --", ""]


@pytest.mark.parametrize("name", ODD)
def test_foreign_names_are_stored_as_far_as_they_can_be_and_found_by_themselves(
    stores: Stores, name: str
) -> None:
    stores.ledger.append([row(at=NOW, server=name, tool=name, principal=name), row(at=NOW)])
    (found,) = stores.ledger.rows(RowFilter(server=name, tool=name, principal=name))
    assert (found.server, found.tool, found.principal) == (storable(name),) * 3
    assert stores.ledger.statistics(RowFilter(principal=name)).totals.rows == 1


@pytest.mark.promise("access:may")
def test_principals_whose_long_ids_begin_alike_share_no_rows(stores: Stores) -> None:
    one, two = ("https://id.example.com/" + "x" * MAX_LEDGER_NAME + end for end in "12")
    stores.ledger.append([row(at=NOW, tool="one", principal=one), row(at=NOW, tool="two", principal=two)])
    assert tools(stores.ledger.rows(RowFilter(principal=one))) == ["one"]
    assert tools(stores.ledger.rows(RowFilter(principal=two))) == ["two"]
    assert [each.calls for each in stores.ledger.statistics(ALL).principals] == [1, 1]


def test_no_principal_is_taken_for_another_though_all_else_is_the_same(stores: Stores) -> None:
    stores.ledger.append([row(at=NOW, principal=each) for each in ("a", "b", "a", "local")])
    assert [each.principal for each in stores.ledger.rows(ALL)] == ["local", "a", "b", "a"]
    assert len(stores.ledger.rows(RowFilter(principal="a"))) == 2


@pytest.mark.promise("ledger:bounded")
def test_rows_past_their_age_go(stores: Stores) -> None:
    stores.ledger.append([row(at=NOW - LEDGER_AGE - 10, tool="old"), row(at=NOW, tool="new")])
    stores.ledger.expire(NOW)
    assert tools(stores.ledger.rows(ALL)) == ["new"]
    stores.ledger.expire(NOW + 2 * LEDGER_AGE)
    assert stores.ledger.rows(ALL) == []


def test_a_closed_ledger_is_opened_again_by_its_next_use(stores: Stores) -> None:
    stores.ledger.append(ROWS)
    stores.ledger.close()
    assert len(stores.ledger.rows(ALL)) == 4
    stores.ledger.close()


@pytest.mark.promise("ledger:shared")
def test_several_processes_append_at_once_and_none_loses_a_row(place: Place) -> None:
    code = (
        "for number in range(50): ledger.append([row(tool=f'{{}} {number}', at=2e9)] * 3)\nassert not notes"
    )
    finished([place.process(code.replace("{{}}", str(child))) for child in range(2)])
    with place.opened() as stores:
        found = Counter(tools(stores.ledger.rows(ALL)))
    assert found == {f"{child} {number}": 3 for child in range(2) for number in range(50)}


@pytest.mark.promise("ledger:killed")
def test_a_kill_in_mid_write_loses_nothing_that_was_committed_and_keeps_no_half(place: Place) -> None:
    code = (
        "for number in range(10**6):\n"
        "    ledger.append([row(tool=f'{number} {part}', at=2e9) for part in range(20)])\n"
        "    say(number)"
    )
    said = said_until_killed(place.process(code), 12)
    with place.opened() as stores:
        found = Counter(each.tool.split()[0] for each in stores.ledger.rows(ALL))
    assert len(said) >= 12
    assert set(said) <= found.keys()
    assert set(found.values()) == {20}


def test_times_are_exact_to_three_digits(stores: Stores) -> None:
    stores.ledger.append([row(at=NOW, ms=each) for each in (0.0123, 12.345, 86_450.0)])
    found = [each.ms for each in stores.ledger.rows(ALL)][::-1]
    assert all(
        math.isclose(one, other, rel_tol=0.005)
        for one, other in zip(found, (0.012, 12.3, 86_500), strict=True)
    )


def test_a_session_is_filtered_by_its_digest(stores: Stores) -> None:
    stores.ledger.append([row(at=NOW, session=session_digest("a session")), row(at=NOW)])
    assert len(stores.ledger.rows(RowFilter(session=session_digest("a session")))) == 1
