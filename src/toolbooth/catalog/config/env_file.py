"""A `.env` file (VS Code's and Cursor's `envFile`) → variables."""

import re
from pathlib import Path
from typing import Final

from toolbooth.catalog.config.regular_file import read_regular
from toolbooth.errors import ConfigError
from toolbooth.limits import MAX_VARIABLE_FILE

_LINE: Final = re.compile(
    r"\s*(?:export\s+)?(?P<name>[A-Za-z_][\w.]*)\s*=\s*"
    r"(?:\"(?P<double>(?:[^\"\\]|\\.)*)\"|'(?P<single>[^']*)'|(?P<plain>[^#\r\n]*(?:(?<=\S)#[^\r\n]*)?))"
)


class EnvFileUnreadable(ValueError):
    """The file is missing, too large or not text; the message does not quote it."""


def read_env_file(path: Path) -> dict[str, str]:
    """Read `NAME=value` lines; quotes are taken off, comments and other lines are skipped."""
    try:
        text = read_regular(path, MAX_VARIABLE_FILE).decode("utf-8-sig")
    except (ConfigError, UnicodeDecodeError):
        raise EnvFileUnreadable("its envFile cannot be read") from None
    found = (_LINE.match(line) for line in text.splitlines())
    return {line["name"]: _text(line) for line in found if line}


def _text(line: re.Match[str]) -> str:
    if line["double"] is not None:
        return line["double"].replace("\\n", "\n").replace('\\"', '"').replace("\\\\", "\\")
    return line["single"] if line["single"] is not None else line["plain"].strip()
