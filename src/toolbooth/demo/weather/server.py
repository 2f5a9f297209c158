"""The demo server `weather` before its tools: what it says of itself and where its data comes from."""

from toolbooth.demo.toolkit import DemoServer
from toolbooth.demo.weather.stations import Stations

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
