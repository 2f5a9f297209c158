"""The demo server `weather`: harbour stations with made-up weather → tools to ask for it."""

from toolbooth.demo.weather import forecast, observed  # noqa: F401  # the tools register themselves
from toolbooth.demo.weather.server import server

__all__ = ["server"]
