"""The log of a run, on the terminal and in `log.jsonl`: one line each with the seconds since the start."""

import sys
import time
from pathlib import Path
from typing import Any

import orjson


class Log:
    """Appends, so that a resumed run keeps its earlier lines."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._path, self._start = path, time.monotonic()

    def __call__(self, text: str, **figures: Any) -> None:
        seconds = round(time.monotonic() - self._start, 1)
        sys.stderr.write(f"{seconds:7.0f} s  {text}\n")
        with self._path.open("ab") as file:
            file.write(orjson.dumps({"seconds": seconds, "says": text, **figures}) + b"\n")
