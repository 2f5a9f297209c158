"""Whose configs are looked for: home, working folder, environment and platform of a process."""

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from toolbooth.catalog.config.read import home_of


class Surroundings(NamedTuple):
    """Where known places are looked for."""

    home: Path
    cwd: Path
    environ: Mapping[str, str]
    platform: str

    @classmethod
    def here(cls) -> "Surroundings":
        """Those of this process."""
        return cls(Path.home(), Path.cwd(), os.environ, sys.platform)

    @classmethod
    def of(cls, environ: Mapping[str, str], cwd: Path) -> "Surroundings":
        """Those of another process of this machine."""
        return cls(home_of(environ), cwd, environ, sys.platform)
