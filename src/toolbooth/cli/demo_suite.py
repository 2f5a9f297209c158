"""A small suite on the bundled servers, run for real with a model that needs no key → its report."""

import os
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from toolbooth.suite.reporting import Report

NAME = "agents.toolbooth.yaml"
SUITE = """\
servers:
  tickets: {command: "${TOOLBOOTH_PYTHON}", args: [-m, toolbooth.demo, tickets]}
  mail: {command: "${TOOLBOOTH_PYTHON}", args: [-m, toolbooth.demo, mail]}
  calendar: {command: "${TOOLBOOTH_PYTHON}", args: [-m, toolbooth.demo, calendar]}
tests:
  - name: a complaint is filed and answered
    model: lexical
    surface: [direct, search]
    prompt: Open a ticket about the blank login page. Then send a mail that we are working on it.
    token_efficiency:
      classes:
        - {name: file, members: [tickets.create_ticket]}
        - {name: answer, members: [mail.send_message]}
      expect:
        - token_efficiency.f1: {">=": 80}
"""
SHOWN = SUITE[SUITE.index("tests:") :]


def run_suite() -> "Report":
    """Nothing is recorded; the servers are started and stopped as for any suite."""
    from toolbooth.cli.test_progress import watching
    from toolbooth.gateway.loop import run
    from toolbooth.suite.files import load_suite
    from toolbooth.suite.running import Choice, Options, SuiteRun, plan

    with TemporaryDirectory(prefix="toolbooth-demo-") as folder:
        path = Path(folder) / NAME
        path.write_text(SUITE, encoding="utf-8")
        cells = plan([load_suite(path)], Choice())
        suite_run = SuiteRun(cells, Options(mode="live"), dict(os.environ), Path.cwd())
        suite_run.prepare()
        with watching(len(cells)) as watcher:
            run(suite_run.run, watcher)
        return suite_run.report()
