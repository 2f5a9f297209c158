"""`toolbooth schema`: print the JSON Schema of toolbooth.yaml, so that an editor completes and checks the file."""

from collections.abc import Sequence

from toolbooth.cli.arguments import Parser

EXAMPLES = """\
  toolbooth schema > toolbooth.schema.json     keep it beside your toolbooth.yaml

point an editor at it with a first line in toolbooth.yaml (VS Code with the YAML extension, Zed, Neovim, Helix, …):
  # yaml-language-server: $schema=./toolbooth.schema.json
JetBrains: Settings → Languages & Frameworks → Schemas and DTDs → JSON Schema Mappings.
"""


def parser() -> Parser:
    """The options of the verb."""
    made = Parser("schema", __doc__ or "", EXAMPLES)
    made.add_argument("--json", action="store_true", help="the same: a schema is JSON")
    return made


def run(words: Sequence[str]) -> int:
    """Print the schema."""
    parser().parse_args(list(words))
    from toolbooth.catalog.config import config_schema
    from toolbooth.cli.terminal import print_json

    print_json(config_schema())
    return 0
