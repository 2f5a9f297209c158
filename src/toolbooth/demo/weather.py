"""The demo server `weather`: generated weather of harbour stations, the same in every run, and tools to ask for it."""

import math
import struct
import zlib
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any

from toolbooth.demo.schemas import choice, flag, gives, many, number, takes, text, whole
from toolbooth.demo.toolkit import READ, Blocks, DemoServer, ToolError, image, say
from toolbooth.demo.world import HARBOURS, NOW, Harbour, dice, stamp

_SKIES = ("clear", "partly cloudy", "overcast", "rain", "fog", "showers")
_COMPASS = ("N", "NE", "E", "SE", "S", "SW", "W", "NW")


@dataclass(frozen=True)
class Stations:
    """The harbours by code."""

    by_code: dict[str, Harbour] = field(
        default_factory=lambda: {harbour.code: harbour for harbour in HARBOURS}
    )

    def station(self, code: str) -> Harbour:
        """The station with a code, in either case, or with the name of its harbour."""
        wanted = code.strip().upper()
        for harbour in self.by_code.values():
            if wanted in (harbour.code, harbour.name.upper()):
                return harbour
        raise ToolError(f"There is no station {code!r}. Stations: {', '.join(self.by_code)}")


@lru_cache(maxsize=10_000)
def _drawn(code: str, hour: int) -> tuple[float, float, str, str]:
    random = dice(f"weather {code} {hour}")
    return random.random(), random.random(), random.choice(_SKIES), random.choice(_COMPASS)


def weather_at(harbour: Harbour, moment: datetime) -> dict[str, Any]:
    """Season, time of day and chance in one reading."""
    hour = int(moment.timestamp()) // 3600
    warm, gust, sky, direction = _drawn(harbour.code, hour)
    season = -math.cos(2 * math.pi * (moment.timetuple().tm_yday - 20) / 365)
    noon = -math.cos(2 * math.pi * moment.hour / 24)
    wind = 4 + 5 * gust + 4 * math.sin(hour / 37 + harbour.latitude * 3)
    return {
        "station": harbour.code,
        "time": stamp(moment),
        "temperature_c": round(8 + 8 * season + 2.5 * noon + 2 * warm, 1),
        "wind_ms": round(max(0.0, wind), 1),
        "wind_direction": direction,
        "gust_ms": round(max(0.0, wind) * (1.2 + gust / 2), 1),
        "wave_m": round(max(0.1, wind / 6), 1),
        "pressure_hpa": round(1012 + 9 * math.sin(hour / 53) + warm),
        "humidity_percent": round(60 + 35 * warm),
        "sky": sky,
    }


_SHADES = ((12, 24, 48), (20, 60, 110), (40, 130, 90), (170, 200, 60), (230, 140, 40), (200, 40, 40))


def _chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def radar_png(harbour: Harbour, size: int) -> bytes:
    """A square of coloured noise around a few showers."""
    random = dice(f"radar {harbour.code}")
    showers = [
        (random.random() * size, random.random() * size, 4 + random.random() * size / 3) for _ in range(7)
    ]
    rows = bytearray()
    for y in range(size):
        rows.append(0)
        for x in range(size):
            nearness = max(1 - ((x - cx) ** 2 + (y - cy) ** 2) / reach**2 for cx, cy, reach in showers)
            level = max(0, min(5, int(nearness * 5 + random.random() * 1.5)))
            rows.extend(_SHADES[level])
    header = struct.pack(">IIBBBBB", size, size, 8, 2, 0, 0, 0)
    body = _chunk(b"IHDR", header) + _chunk(b"IDAT", zlib.compress(bytes(rows), 9)) + _chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + body


server = DemoServer(
    name="weather",
    title="Demo weather",
    instructions=(
        "Weather at the eight harbours of Larkfield Ferries. Stations have codes of three letters; "
        "list_stations names them. Wind is in metres per second, temperature in degrees Celsius, waves in "
        "metres. Sailings stop above 20 m/s. Now is 2026-03-16T09:00:00Z."
    ),
    seed=Stations,
)


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
    """Large and without whitespace on purpose."""
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
    """With hours the answer is about twenty times as long."""
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
    """One row per windy hour."""
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
    """About four lines of text."""
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
