"""What every store of usage, limits and news must do."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.contracts.stores.factories import Place, Stores, finished, said_until_killed
from toolbooth.limits import MAX_LEDGER_NAME, NEWS_AGE, NEWS_PAYLOAD
from toolbooth.store import storable

NOW = 1_000_000.0
ODD = ["half \ud800 a pair", "a NUL \0 inside", "x" * (MAX_LEDGER_NAME * 2), "名前"]


# -- usage -------------------------------------------------------------------------------------------------
def test_calls_add_up(stores: Stores) -> None:
    assert stores.state.usage.counts() == {}
    stores.state.usage.add({"a.b": 3, "a.é": 1})
    stores.state.usage.add({"a.b": 2, "c.d": 5, "never": 0})
    assert stores.state.usage.counts() == {"a.b": 5, "a.é": 1, "c.d": 5}


@pytest.mark.parametrize("name", ODD)
def test_odd_names_are_counted(stores: Stores, name: str) -> None:
    stores.state.usage.add({name: 1})
    stores.state.usage.add({name: 1})
    assert stores.state.usage.counts() == {storable(name): 2}


@pytest.mark.promise("store:exact")
def test_processes_that_count_at_once_lose_no_call(place: Place) -> None:
    code = "for _ in range(100): state.usage.add({'a.b': 1, 'c.d': 2})"
    finished([place.process(code) for _ in range(2)])
    with place.opened() as stores:
        assert stores.state.usage.counts() == {"a.b": 200, "c.d": 400}


def test_a_kill_leaves_whole_counts(place: Place) -> None:
    code = "for number in range(10**6):\n    state.usage.add({'a.b': 1, 'c.d': 1})\n    say(number)"
    said = said_until_killed(place.process(code), 20)
    with place.opened() as stores:
        counts = stores.state.usage.counts()
    assert counts["a.b"] == counts["c.d"] >= len(said)


# -- limits ------------------------------------------------------------------------------------------------
def test_no_more_is_taken_than_there_is(stores: Stores) -> None:
    take = stores.state.limits.take
    assert take("calls", 3, 5, 60, 120.0) == (True, 3, 180.0)
    assert take("calls", 3, 5, 60, 130.0) == (False, 3, 180.0)
    assert take("calls", 2, 5, 60, 179.9) == (True, 5, 180.0)
    assert take("calls", 1, 5, 60, 179.9) == (False, 5, 180.0)


def test_each_window_begins_at_zero(stores: Stores) -> None:
    take = stores.state.limits.take
    assert take("calls", 5, 5, 60, 120.0).taken
    assert take("calls", 5, 5, 60, 180.0) == (True, 5, 240.0)
    assert not take("calls", 1, 5, 60, 239.0).taken


@pytest.mark.promise("store:exact")
def test_takes_that_arrive_late_count_in_their_own_window(stores: Stores) -> None:
    """A caller reads the clock before it waits for the store."""
    take = stores.state.limits.take
    answers = [take("calls", 3, 5, 60, now) for now in (119.9, 120.1, 119.9, 120.1)]
    assert answers == [(True, 3, 120.0), (True, 3, 180.0), (False, 3, 120.0), (False, 3, 180.0)]


@pytest.mark.parametrize("key", ODD)
def test_each_key_and_each_length_has_its_own_counter(stores: Stores, key: str) -> None:
    take = stores.state.limits.take
    assert take(key, 1, 1, 60, NOW).taken
    assert not take(key, 1, 1, 60, NOW).taken
    assert take(f"{key}y", 1, 1, 60, NOW).taken
    assert take(key, 1, 1, 3600, NOW).taken


@pytest.mark.promise("store:exact")
def test_a_limit_is_exact_among_threads(stores: Stores) -> None:
    with ThreadPoolExecutor(8) as threads:
        taken = list(threads.map(lambda _: stores.state.limits.take("k", 1, 150, 1e6, NOW).taken, range(400)))
    assert sum(taken) == 150


@pytest.mark.promise("store:exact")
def test_a_limit_is_exact_among_processes(place: Place) -> None:
    code = (
        "from concurrent.futures import ThreadPoolExecutor\n"
        "with ThreadPoolExecutor(4) as threads:\n"
        "    say(sum(threads.map(lambda _: state.limits.take('k', 1, 150, 1e6, 1e6).taken, range(120))))"
    )
    taken = finished([place.process(code) for _ in range(2)])
    assert sum(map(int, taken)) == 150


# -- news --------------------------------------------------------------------------------------------------
def test_news_are_read_from_a_cursor_on(stores: Stores) -> None:
    news = stores.state.news
    assert (news.position(NOW), news.since(0, ["a"])) == (0, ([], 0))
    news.publish("a", {"name": "é \ud800"}, NOW)
    start = news.position(NOW + 1)
    news.publish("a", {"number": 1}, NOW + 2)
    news.publish("b", {"number": 2}, NOW + 3)
    news.publish("a", {"number": 3}, NOW + 4)
    found = news.since(start, ["a", "c"]).items
    assert [(each.topic, each.payload, each.at) for each in found] == [
        ("a", {"number": 1}, NOW + 2),
        ("a", {"number": 3}, NOW + 4),
    ]
    assert news.since(found[0].cursor, ["a", "b"]).items[0].payload == {"number": 2}
    assert news.since(found[-1].cursor, ["a", "b"]) == ([], found[-1].cursor)
    assert news.since(0, ["a"]).items[0].payload == {"name": "é \ud800"}


def test_a_position_is_before_what_was_published_at_that_moment(stores: Stores) -> None:
    news = stores.state.news
    news.publish("a", {}, NOW)
    news.publish("a", {}, NOW + 1)
    assert len(news.since(news.position(NOW), ["a"]).items) == 2
    assert len(news.since(news.position(NOW + 1), ["a"]).items) == 1
    assert len(news.since(news.position(NOW + 2), ["a"]).items) == 0


def test_old_news_go(stores: Stores) -> None:
    stores.state.news.publish("a", {"old": True}, NOW)
    stores.state.news.publish("a", {}, NOW + NEWS_AGE + 1)
    assert [each.payload for each in stores.state.news.since(0, ["a"]).items] == [{}]


def test_what_is_too_long_for_news_is_refused(stores: Stores) -> None:
    with pytest.raises(ValueError, match="are passed on"):
        stores.state.news.publish("a", {"text": "x" * NEWS_PAYLOAD}, NOW)


def test_every_process_reads_what_another_published(place: Place, stores: Stores) -> None:
    start = stores.state.news.position(0)
    code = "for number in range(30): state.news.publish('a', {'from': CHILD, 'number': number}, 1e6)"
    finished([place.process(code.replace("CHILD", str(child))) for child in range(2)])
    found = stores.state.news.since(start, ["a"]).items
    assert [each.cursor for each in found] == sorted({each.cursor for each in found})
    for child in range(2):
        assert [each.payload["number"] for each in found if each.payload["from"] == child] == list(range(30))
