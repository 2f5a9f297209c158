"""A report and the name of a format → words on stdout: in colours and as wide as the terminal, if it is one."""

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from toolbooth.suite.reporting import Report


def print_report(report: "Report", form: str) -> None:
    """Every reporter cleans what it prints."""
    from toolbooth.suite.reporting import render, show

    if form == "terminal":
        from toolbooth.cli.terminal import out

        show(report, out())
    else:
        sys.stdout.write(render(report, form))
