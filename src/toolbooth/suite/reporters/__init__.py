"""A report → text: one reporter a file, each of which registers itself."""

from toolbooth.suite.reporters import agent, github, html, json, junit, markdown, tap, terminal
from toolbooth.suite.reporters.registry import REPORTERS, Reporter, render
from toolbooth.suite.reporters.terminal import show

__all__ = [
    "REPORTERS",
    "Reporter",
    "agent",
    "github",
    "html",
    "json",
    "junit",
    "markdown",
    "render",
    "show",
    "tap",
    "terminal",
]
