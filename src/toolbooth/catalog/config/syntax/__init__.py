"""The text syntaxes that a config may be written in, each in a file of its own."""

from toolbooth.catalog.config.syntax import json_text, toml_text, yaml_text
from toolbooth.catalog.config.syntax.registry import SUFFIXES, SYNTAXES, Mark, Parsed, SyntaxFault

__all__ = ["SUFFIXES", "SYNTAXES", "Mark", "Parsed", "SyntaxFault", "json_text", "toml_text", "yaml_text"]
