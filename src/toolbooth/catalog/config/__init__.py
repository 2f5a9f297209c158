"""Any MCP client's config file → servers, without being told which client it is for."""

from toolbooth.catalog.config.answer_caps import AnswerCaps, Cap, CapRule
from toolbooth.catalog.config.clients import OURS
from toolbooth.catalog.config.config_file import ConfigFile, ServerProblem
from toolbooth.catalog.config.document import Document, decoded, parse_document
from toolbooth.catalog.config.enforcement import Enforcement
from toolbooth.catalog.config.formats import looks_like_config
from toolbooth.catalog.config.formats.toolbooth_yaml import SERVER as SERVER_KEYS
from toolbooth.catalog.config.gateway_settings import OFFERED_SURFACES, GatewaySettings
from toolbooth.catalog.config.json_schema import config_schema
from toolbooth.catalog.config.launch import own_command
from toolbooth.catalog.config.merge import Merged, merge
from toolbooth.catalog.config.own_server import is_kept_copy, is_own_server, serve_options
from toolbooth.catalog.config.places import (
    Place,
    default_scripts_folder,
    find_configs,
    find_user_configs,
    known_places,
    repository_root,
)
from toolbooth.catalog.config.project_config import ProjectConfig, Trust, trust_all, trust_none
from toolbooth.catalog.config.read import read_config, read_document
from toolbooth.catalog.config.reduction import KEYS as REDUCTION_KEYS
from toolbooth.catalog.config.reduction import Reduction
from toolbooth.catalog.config.registered import spec_of_entry
from toolbooth.catalog.config.regular_file import read_regular
from toolbooth.catalog.config.surroundings import Surroundings
from toolbooth.catalog.config.trusted_projects import Trusted, TrustedProjects
from toolbooth.catalog.config.wrapping.kept import data_folder
from toolbooth.catalog.config.wrapping.moving import Stay
from toolbooth.catalog.config.wrapping.originals import Version, stand_in, versions
from toolbooth.catalog.config.wrapping.swap import flush_folder
from toolbooth.catalog.config.wrapping.targets import (
    Candidate,
    candidates,
    files_to_unwrap,
    files_to_wrap,
    names_in,
    originals_of,
)
from toolbooth.catalog.config.wrapping.unwrap import Unwrapping, unwrap
from toolbooth.catalog.config.wrapping.wrap import Gateway, Wrapping, wrap

__all__ = [
    "OFFERED_SURFACES",
    "OURS",
    "REDUCTION_KEYS",
    "SERVER_KEYS",
    "AnswerCaps",
    "Candidate",
    "Cap",
    "CapRule",
    "ConfigFile",
    "Document",
    "Enforcement",
    "Gateway",
    "GatewaySettings",
    "Merged",
    "Place",
    "ProjectConfig",
    "Reduction",
    "ServerProblem",
    "Stay",
    "Surroundings",
    "Trust",
    "Trusted",
    "TrustedProjects",
    "Unwrapping",
    "Version",
    "Wrapping",
    "candidates",
    "config_schema",
    "data_folder",
    "decoded",
    "default_scripts_folder",
    "files_to_unwrap",
    "files_to_wrap",
    "find_configs",
    "find_user_configs",
    "flush_folder",
    "is_kept_copy",
    "is_own_server",
    "known_places",
    "looks_like_config",
    "merge",
    "names_in",
    "originals_of",
    "own_command",
    "parse_document",
    "read_config",
    "read_document",
    "read_regular",
    "repository_root",
    "serve_options",
    "spec_of_entry",
    "stand_in",
    "trust_all",
    "trust_none",
    "unwrap",
    "versions",
    "wrap",
]
