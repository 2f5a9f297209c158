"""A station and days ahead → expected weather, warnings and tides."""

import math
from datetime import datetime, timedelta
from typing import Any

from toolbooth.demo.schemas import flag, number, takes, text, whole
from toolbooth.demo.toolkit import READ, ToolError
from toolbooth.demo.weather.observed import STATION
from toolbooth.demo.weather.server import server
from toolbooth.demo.weather.stations import Stations, weather_at
from toolbooth.demo.world import NOW, Harbour, stamp

_TIDE_HOURS = 12.42  # from one high water to the next


@server.tool(
    "Get the daily weather forecast for a station.",
    takes(
        "station",
        station=STATION,
        days=whole("Number of days", default=5, minimum=1, maximum=14),
        hourly=flag("Add the single hours of each day", default=False),
    ),
    hints=READ,
)
def get_forecast(stations: Stations, station: str, days: int = 5, hourly: bool = False) -> dict[str, Any]:
    """With hours the answer is some twenty times as long."""
    harbour = stations.station(station)
    midnight = NOW.replace(hour=0)
    forecast = [_day(harbour, midnight + timedelta(days=ahead), hourly) for ahead in range(1, days + 1)]
    return {"station": harbour.code, "days": forecast}


def _day(harbour: Harbour, day: datetime, hourly: bool) -> dict[str, Any]:
    hours = [weather_at(harbour, day + timedelta(hours=hour)) for hour in range(24)]
    summary = {
        "date": f"{day:%Y-%m-%d}",
        "low_c": min(hour["temperature_c"] for hour in hours),
        "high_c": max(hour["temperature_c"] for hour in hours),
        "max_gust_ms": max(hour["gust_ms"] for hour in hours),
        "sky": hours[12]["sky"],
    }
    return summary | ({"hours": hours} if hourly else {})


@server.tool(
    "List warnings for all stations: hours of the coming days in which gusts stop the sailings.",
    takes(
        days=whole("Number of days", default=3, minimum=1, maximum=14),
        min_gust=number("Gusts in m/s from which an hour is listed", default=18),
    ),
    hints=READ,
)
def get_weather_alerts(stations: Stations, days: int = 3, min_gust: float = 18) -> dict[str, Any]:
    """One row for each windy hour."""
    moments = [NOW + timedelta(hours=hour) for hour in range(24 * days)]
    readings = [weather_at(harbour, moment) for harbour in stations.by_code.values() for moment in moments]
    windy = [reading for reading in readings if reading["gust_ms"] >= min_gust]
    alerts = [{key: reading[key] for key in ("station", "time", "gust_ms")} for reading in windy]
    return {"alerts": alerts}


@server.tool(
    "Get times of high and low water at a station for one day.",
    takes(
        "station",
        station=STATION,
        date=text("Day as YYYY-MM-DD", pattern=r"^20\d\d-(0\d|1[0-2])-([0-2]\d|3[01])$"),
    ),
    hints=READ,
)
def get_tide_times(stations: Stations, station: str, date: str = "2026-03-16") -> str:
    """Four or so lines of text."""
    harbour = stations.station(station)
    try:
        start = datetime.fromisoformat(f"{date}T00:00:00+00:00")
    except ValueError:
        raise ToolError(f"There is no day {date}") from None
    half = _TIDE_HOURS / 2
    offset = harbour.longitude % half
    first = math.ceil((start.timestamp() / 3600 - offset) / half)
    tides = [(index, offset + index * half - start.timestamp() / 3600) for index in range(first, first + 5)]
    lines = [
        f"{stamp(start + timedelta(hours=hours))} {'high' if index % 2 else 'low'} water"
        for index, hours in tides
        if hours < 24
    ]
    return "\n".join([f"Tides at {harbour.name} on {date}", *lines])
