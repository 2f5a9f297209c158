"""`toolbooth schema`: print the JSON Schema of toolbooth.yaml and suites, so that editors complete and check them."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from toolbooth.catalog.config import config_schema
from toolbooth.cli import arguments, terminal
from toolbooth.suite import suite_schema

EXAMPLES = """\
  toolbooth schema > toolbooth.schema.json     one schema for toolbooth.yaml and suites (*.toolbooth.yaml)
  toolbooth schema suite                       only suites
  toolbooth schema config                      only toolbooth.yaml

put this line at the top of the file (VS Code with the YAML extension, Zed, Neovim, Helix, …):
  # yaml-language-server: $schema=./toolbooth.schema.json
JetBrains: Settings → Languages & Frameworks → Schemas and DTDs → JSON Schema Mappings.
"""


def parser() -> arguments.Parser:
    """The options of the command."""
    made = arguments.Parser("schema", __doc__ or "", EXAMPLES)
    made.add_argument(
        "which", nargs="?", choices=SCHEMAS, help="the file type (default: one schema for both)"
    )
    made.add_argument("--json", action="store_true", help="no effect: a schema is always JSON")
    return made


def run(words: Sequence[str]) -> int:
    """Print the schema."""
    options = parser().parse_args(list(words))
    terminal.print_json(SCHEMAS[options.which]() if options.which else _both())
    return 0


def _config() -> dict[str, Any]:
    return config_schema()


def _suite() -> dict[str, Any]:
    return suite_schema()


def _both() -> dict[str, Any]:
    """One schema for both: a file with tests or agents is a suite. All keys are at the top level too, for editors."""
    config, suite = _config(), _suite()
    return {
        "$schema": config["$schema"],
        "title": f"{config['title']} or {suite['title']}",
        "description": f"{config['description']} Or, with `tests` or `agents`: {suite['description']}",
        "type": ["object", "null"],
        "properties": _offered(config["properties"], suite["properties"]),
        "if": {
            "type": "object",
            "anyOf": [{"required": ["tests"]}, {"required": ["agents"]}],
        },
        "then": _inner(suite),
        "else": _inner(config),
    }


def _offered(config: Mapping[str, Any], suite: Mapping[str, Any]) -> dict[str, Any]:
    """The description of each key; the branches check the values."""
    words = {name: {"description": key["description"]} for name, key in {**suite, **config}.items()}
    return dict(sorted(words.items()))


def _inner(schema: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in schema.items() if key != "$schema"}


SCHEMAS: Final[Mapping[str, Callable[[], dict[str, Any]]]] = {"config": _config, "suite": _suite}
