"""Names that users choose from: every list of surfaces and formats holds what is really there."""

import subprocess
import sys
from argparse import ArgumentParser
from importlib import import_module
from pathlib import Path

import pytest

from toolbooth.bench.tokens.offer import WAYS
from toolbooth.catalog.config import OFFERED_SURFACES
from toolbooth.contracts import Severity
from toolbooth.economics import Risk
from toolbooth.gateway.surfaces import BUILDERS
from toolbooth.suite.adapters.trace_file import ADAPTERS
from toolbooth.suite.reporters import REPORTERS
from toolbooth.suite.spec.suite import SURFACES
from toolbooth.web.sections.wording import MODES

EXAMPLE = Path(__file__).parents[2] / "examples/expect/expect.toolbooth.yaml"
SEVERITIES = {severity.name.lower() for severity in Severity}
CHOICES = [
    ("test", "--format", set(REPORTERS)),
    ("report", "--format", set(REPORTERS)),
    ("score.command", "--format-of", {"auto", *ADAPTERS}),
    ("diff.command", "--severity", SEVERITIES),
    ("diff.command", "--fail-on", SEVERITIES),
    ("lock.command", "--fail-on", SEVERITIES),
    ("profile.command", "--fail-on", {risk.value for risk in Risk}),
]
OF_INIT = ("toolbooth.cli.init", "toolbooth.suite.first_suites", "toolbooth.suite.first_suites")


def test_every_offered_surface_can_be_built() -> None:
    assert set(OFFERED_SURFACES) == set(BUILDERS)


def test_suites_know_the_surfaces_of_the_gateway_and_default_to_direct() -> None:
    assert set(SURFACES) == set(OFFERED_SURFACES)
    assert SURFACES[0] == "direct"


def test_the_benchmark_weighs_every_surface_and_its_page_has_words_for_every_mode() -> None:
    assert {way.surface for way in WAYS} == {"", *OFFERED_SURFACES}
    assert {way.mode for way in WAYS} == set(MODES)


def test_the_command_test_loads_nothing_of_init() -> None:
    code = (
        "import sys\n"
        "from toolbooth.cli.main import main\n"
        f"code = main(['test', {str(EXAMPLE)!r}, '--offline'])\n"
        f"print('loaded', code, [name for name in {OF_INIT!r} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout.splitlines()[-1] == "loaded 0 []", done.stderr


@pytest.mark.parametrize(("command", "option", "known"), CHOICES)
def test_an_option_offers_what_the_library_knows(command: str, option: str, known: set[str]) -> None:
    parser: ArgumentParser = import_module(f"toolbooth.cli.{command}").parser()
    [action] = [each for each in parser._actions if option in each.option_strings]
    assert set(action.choices or ()) == known
