"""Config files of every MCP client: finding them, reading their servers, and wrapping them."""

from typing import TYPE_CHECKING

from toolbooth.catalog.config.clients import OURS
from toolbooth.catalog.config.config_file import ConfigFile, Document, ServerProblem, decoded, parse_document
from toolbooth.catalog.config.formats import looks_like_config
from toolbooth.catalog.config.formats.toolbooth_yaml import SERVER_KEYS, config_schema
from toolbooth.catalog.config.gateway_command import (
    is_gateway_server,
    is_kept_copy,
    serve_options,
    toolbooth_command,
)
from toolbooth.catalog.config.gateway_settings import (
    AUTO_SURFACE,
    OFFERED_SURFACES,
    REDUCTION_KEYS,
    SURFACE_NAMES,
    AnswerCaps,
    Cap,
    CapRule,
    Enforcement,
    GatewaySettings,
    Reduction,
)
from toolbooth.catalog.config.locations import (
    ConfigLocation,
    HostContext,
    default_scripts_folder,
    find_configs,
    find_user_configs,
    known_locations,
    repository_root,
)
from toolbooth.catalog.config.merging import Merged, merge
from toolbooth.catalog.config.originals import KeptVersion, stand_in, versions
from toolbooth.catalog.config.read import read_config, read_document
from toolbooth.catalog.config.regular_file import read_regular
from toolbooth.catalog.config.server_entry import spec_of_entry
from toolbooth.catalog.config.trusted_projects import (
    ProjectConfig,
    Trust,
    Trusted,
    TrustedProjects,
    trust_all,
    trust_none,
)
from toolbooth.lazy import exports

if TYPE_CHECKING:
    from toolbooth.catalog.config.wrapping.moving import Stay
    from toolbooth.catalog.config.wrapping.targets import (
        Candidate,
        candidates,
        files_to_unwrap,
        files_to_wrap,
        names_in,
        originals_of,
    )
    from toolbooth.catalog.config.wrapping.unwrap import Unwrapping, unwrap
    from toolbooth.catalog.config.wrapping.wrap import WrapOptions, Wrapping, wrap

__all__ = [
    "AUTO_SURFACE",
    "OFFERED_SURFACES",
    "OURS",
    "REDUCTION_KEYS",
    "SERVER_KEYS",
    "SURFACE_NAMES",
    "AnswerCaps",
    "Candidate",
    "Cap",
    "CapRule",
    "ConfigFile",
    "ConfigLocation",
    "Document",
    "Enforcement",
    "GatewaySettings",
    "HostContext",
    "KeptVersion",
    "Merged",
    "ProjectConfig",
    "Reduction",
    "ServerProblem",
    "Stay",
    "Trust",
    "Trusted",
    "TrustedProjects",
    "Unwrapping",
    "WrapOptions",
    "Wrapping",
    "candidates",
    "config_schema",
    "decoded",
    "default_scripts_folder",
    "files_to_unwrap",
    "files_to_wrap",
    "find_configs",
    "find_user_configs",
    "is_gateway_server",
    "is_kept_copy",
    "known_locations",
    "looks_like_config",
    "merge",
    "names_in",
    "originals_of",
    "parse_document",
    "read_config",
    "read_document",
    "read_regular",
    "repository_root",
    "serve_options",
    "spec_of_entry",
    "stand_in",
    "toolbooth_command",
    "trust_all",
    "trust_none",
    "unwrap",
    "versions",
    "wrap",
]

# Only `wrap` and `unwrap` rewrite configs; whoever reads one does without these modules.
if not TYPE_CHECKING:
    __getattr__, _, _ = exports(
        __name__,
        {
            "wrapping.moving": "Stay",
            "wrapping.targets": "Candidate candidates files_to_unwrap files_to_wrap names_in originals_of",
            "wrapping.unwrap": "Unwrapping unwrap",
            "wrapping.wrap": "WrapOptions Wrapping wrap",
        },
    )
