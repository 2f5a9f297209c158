"""Several lookups side by side: the same question for each station."""

from collections.abc import Iterable, Mapping
from typing import Any

from ..agent import Agent, by_code, data, direct, find, through
from ..direct_servers import DirectServers
from ..task import Task

QUESTION = (
    "At which harbour is it coldest now, and where are the gusts strongest? As `code value, code value`."
)
SEARCHES = (find("current weather at every station", 3),)
LOOKS = ("await weather.list_stations()", 'await weather.get_current_weather(station="SKE")')
CODE = """
stations = (await weather.list_stations())["stations"]
now = await asyncio.gather(*[weather.get_current_weather(station=s["code"]) for s in stations])
cold = min(now, key=lambda w: w["temperature"])
gust = max(now, key=lambda w: w["gust_ms"])
[cold["station"], cold["temperature"], gust["station"], gust["gust_ms"]]
"""


def truth(servers: DirectServers) -> str:
    stations = servers.ask("weather.list_stations")["stations"]
    return _said([servers.ask("weather.get_current_weather", station=each["name"]) for each in stations])


def _said(readings: Iterable[Mapping[str, Any]]) -> str:
    kept = list(readings)
    cold = min(kept, key=lambda each: each["temperature"])
    gust = max(kept, key=lambda each: each["gust_ms"])
    return f"{cold['station']} {cold['temperature']}, {gust['station']} {gust['gust_ms']}"


def baseline() -> Agent:
    [listed] = yield [direct("weather.list_stations")]
    codes = [each["code"] for each in data(listed)["stations"]]
    answers = yield [direct("weather.get_current_weather", station=code) for code in codes]
    return _said(map(data, answers))


def search_known() -> Agent:
    yield SEARCHES
    [listed] = yield [through("weather.list_stations", fields="stations[].code")]
    codes = [each["code"] for each in data(listed)["stations"]]
    fields = "station,temperature,gust_ms"
    answers = yield [
        through("weather.get_current_weather", {"station": code}, fields=fields) for code in codes
    ]
    return _said(map(data, answers))


def search() -> Agent:
    """All readings in full: a look at one to learn its fields would cost an additional turn."""
    yield SEARCHES
    [listed] = yield [through("weather.list_stations")]
    codes = [each["code"] for each in data(listed)["stations"]]
    answers = yield [through("weather.get_current_weather", {"station": code}) for code in codes]
    return _said(map(data, answers))


def _words(answer: str) -> str:
    cold, temperature, gust, speed = data(answer)
    return f"{cold} {temperature}, {gust} {speed}"


TASK = Task(
    "coldest and windiest",
    QUESTION,
    truth,
    {
        "baseline": baseline,
        "search": search,
        "search, known": search_known,
        **by_code(SEARCHES, LOOKS, CODE, _words),
    },
)
