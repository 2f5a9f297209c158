"""A station → what is measured there, now and in the past, and what the radar sees."""

from datetime import timedelta
from typing import Any

from toolbooth.demo.schemas import choice, gives, many, number, takes, text, whole
from toolbooth.demo.toolkit import READ, Blocks, image, say
from toolbooth.demo.weather.radar import radar_png
from toolbooth.demo.weather.server import server
from toolbooth.demo.weather.stations import Stations, weather_at
from toolbooth.demo.world import NOW

STATION = text("Code or name of the station, for example TRN or Tern Island")


@server.tool(
    "List weather stations with code, name and position.",
    outputs=gives(
        "stations",
        stations=many(gives("code", "name", code=text(), name=text(), latitude=number(), longitude=number())),
    ),
    hints=READ,
)
def list_stations(stations: Stations) -> dict[str, Any]:
    """Eight rows."""
    return {"stations": [harbour._asdict() for harbour in stations.by_code.values()]}


@server.tool(
    "Get the current weather at a station.",
    takes("station", station=STATION, units=choice("", "metric", "imperial", default="metric")),
    outputs=gives(
        "station",
        "time",
        "temperature",
        "unit",
        "wind_ms",
        "sky",
        station=text(),
        time=text(),
        temperature=number(),
        unit=choice("", "C", "F"),
        wind_ms=number(),
        wind_direction=text(),
        gust_ms=number(),
        wave_m=number(),
        sky=text(),
    ),
    hints=READ,
)
def get_current_weather(stations: Stations, station: str, units: str = "metric") -> dict[str, Any]:
    """Small, with structured content."""
    reading = weather_at(stations.station(station), NOW)
    celsius = reading.pop("temperature_c")
    metric = units == "metric"
    kept = {key: value for key, value in reading.items() if key not in ("pressure_hpa", "humidity_percent")}
    return kept | {
        "temperature": celsius if metric else round(celsius * 1.8 + 32, 1),
        "unit": "C" if metric else "F",
    }


@server.tool(
    "Get hourly observations of the past days at a station, oldest first.",
    takes("station", station=STATION, days=whole("How many days back", default=14, minimum=1, maximum=60)),
    hints=READ,
    minified=True,
)
def get_observations(stations: Stations, station: str, days: int = 14) -> dict[str, Any]:
    """Fat and without whitespace on purpose."""
    harbour = stations.station(station)
    hours = [NOW - timedelta(hours=hour) for hour in range(24 * days, 0, -1)]
    return {"station": harbour.code, "observations": [weather_at(harbour, moment) for moment in hours]}


@server.tool(
    "Get the latest radar image around a station as PNG.",
    takes("station", station=STATION, size=whole("Edge in pixels", default=320, minimum=32, maximum=384)),
    hints=READ,
)
def get_radar_image(stations: Stations, station: str, size: int = 320) -> Blocks:
    """A picture and one line of text."""
    harbour = stations.station(station)
    line = f"Radar around {harbour.name}, {size} by {size} pixels"
    return Blocks((say(line), image(radar_png(harbour, size), "image/png")))
