"""A station and an hour → the weather there and then, the same in every run."""

import math
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from typing import Any

from toolbooth.demo.toolkit import ToolError
from toolbooth.demo.world import HARBOURS, Harbour, dice, stamp

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
