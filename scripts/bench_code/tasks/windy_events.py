"""A join of two servers: events by place and day with the forecast of that place and day."""

from collections.abc import Iterable
from typing import Any

from ..agent import Agent, by_code, data, direct, find, read, through
from ..direct_servers import DirectServers
from ..task import Task

QUESTION = (
    "Which events from 17 to 23 March 2026 take place at a harbour for which gusts above 15 m/s are forecast "
    "on the day of the event? Their ids, earliest first."
)
WEEK = {"start": "2026-03-17T00:00:00Z", "end": "2026-03-24T00:00:00Z"}
WORST = 15
SEARCHES = (find("list calendar events between two times", 2), find("weather forecast, list stations", 3))
LOOKS = (
    'await asyncio.gather(calendar.list_events(start="2026-03-17T00:00:00Z", maxResults=2), weather.list_stations())',
    'await weather.get_forecast(station="SKE", days=2)',
)
CODE = """
events = (await calendar.list_events(start="2026-03-17T00:00:00Z", end="2026-03-24T00:00:00Z"))["events"]
harbours = [s["name"] for s in (await weather.list_stations())["stations"]]
forecasts = await asyncio.gather(*[weather.get_forecast(station=h, days=7) for h in harbours])
gusts = {(h, d["date"]): d["max_gust_ms"] for h, f in zip(harbours, forecasts) for d in f["days"]}
[e["id"] for e in events if gusts.get((e["location"].split(",")[0], e["start"][:10]), 0) > 15]
"""


def truth(servers: DirectServers) -> str:
    return ", ".join(
        event["id"]
        for event in servers.ask("calendar.list_events", **WEEK)["events"]
        if _windy(servers, event)
    )


def _windy(servers: DirectServers, event: dict[str, Any]) -> bool:
    """Some events are at no harbour."""
    try:
        days = servers.ask("weather.get_forecast", station=_place(event), days=14)["days"]
    except ValueError:
        return False
    return any(day["date"] == event["start"][:10] and day["max_gust_ms"] > WORST for day in days)


def _place(event: dict[str, Any]) -> str:
    place: str = event["location"].split(",")[0]
    return place


def _harbours(listed: str, stations: str) -> list[str]:
    """Only those at which something takes place."""
    names = {station["name"] for station in data(stations)["stations"]}
    return sorted(names & set(map(_place, data(listed)["events"])))


def baseline() -> Agent:
    listed, stations = yield [direct("calendar.list_events", **WEEK), direct("weather.list_stations")]
    places = _harbours(listed, stations)
    forecasts = yield [direct("weather.get_forecast", station=place, days=7) for place in places]
    return _joined(listed, places, forecasts)


def search_known() -> Agent:
    yield SEARCHES
    fields = "events[].id,events[].start,events[].location"
    listed, stations = yield [
        through("calendar.list_events", WEEK, fields=fields),
        through("weather.list_stations", fields="stations[].name"),
    ]
    places = _harbours(listed, stations)
    fields = "days[].date,days[].max_gust_ms"
    forecasts = yield [
        through("weather.get_forecast", {"station": place, "days": 7}, fields=fields) for place in places
    ]
    return _joined(listed, places, forecasts)


def _joined(listed: str, places: Iterable[str], forecasts: Iterable[str]) -> str:
    days = {place: data(each)["days"] for place, each in zip(places, forecasts, strict=True)}
    gusts = {(place, day["date"]): day["max_gust_ms"] for place in days for day in days[place]}
    events = data(listed)["events"]
    return ", ".join(
        event["id"] for event in events if gusts.get((_place(event), event["start"][:10]), 0) > WORST
    )


def search() -> Agent:
    yield SEARCHES
    cut, stations = yield [through("calendar.list_events", WEEK), through("weather.list_stations")]
    [listed] = yield [read(cut, path="{events: events[].{id: id, start: start, location: location}}")]
    places = _harbours(listed, stations)
    forecasts = yield [through("weather.get_forecast", {"station": place, "days": 7}) for place in places]
    return _joined(listed, places, forecasts)


def _said(answer: str) -> str:
    return ", ".join(data(answer))


TASK = Task(
    "windy events",
    QUESTION,
    truth,
    {
        "baseline": baseline,
        "search": search,
        "search, known": search_known,
        **by_code(SEARCHES, LOOKS, CODE, _said),
    },
)
