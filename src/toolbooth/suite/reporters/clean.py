"""Foreign text → one line that acts neither on a terminal nor on the CI system that reads the log."""

from toolbooth.safetext import for_build_log as clean

__all__ = ["clean"]
