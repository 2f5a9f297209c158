"""Any MCP client's config file → servers, without being told which client it is for."""

from toolbooth.catalog.config.answer_caps import AnswerCaps, Cap, CapRule
from toolbooth.catalog.config.clients import OURS
from toolbooth.catalog.config.config_file import ConfigFile, ServerProblem
from toolbooth.catalog.config.document import Document, parse_document
from toolbooth.catalog.config.formats import looks_like_config
from toolbooth.catalog.config.gateway_settings import SURFACES, GatewaySettings
from toolbooth.catalog.config.json_schema import config_schema
from toolbooth.catalog.config.merge import Merged, merge
from toolbooth.catalog.config.own_server import is_own_server
from toolbooth.catalog.config.places import (
    Place,
    find_configs,
    find_user_configs,
    known_places,
    repository_root,
)
from toolbooth.catalog.config.read import read_config, read_document

__all__ = [
    "OURS",
    "SURFACES",
    "AnswerCaps",
    "Cap",
    "CapRule",
    "ConfigFile",
    "Document",
    "GatewaySettings",
    "Merged",
    "Place",
    "ServerProblem",
    "config_schema",
    "find_configs",
    "find_user_configs",
    "is_own_server",
    "known_places",
    "looks_like_config",
    "merge",
    "parse_document",
    "read_config",
    "read_document",
    "repository_root",
]
