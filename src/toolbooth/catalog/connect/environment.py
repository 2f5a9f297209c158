"""The environment of a server's process.

A server gets the variables that its config names, and the few listed below, which describe the machine and hold no
keys. Other variables are not passed on. A server that needs one names it: `env: {AWS_PROFILE: "${AWS_PROFILE}"}`. The
official SDKs follow the same rule; their list is the first row.
"""

from collections.abc import Mapping
from typing import Final

# Each row says why a server that works in a shell would not start, or not work, without these variables.
PASSED_ON: Final[tuple[tuple[str, frozenset[str]], ...]] = (
    (
        "the user and where programs are: what the official SDKs pass on",
        frozenset({"HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER"}),
    ),
    (
        "the same on Windows, where no program starts without SYSTEMROOT",
        frozenset({"ALLUSERSPROFILE", "APPDATA", "COMSPEC", "HOMEDRIVE", "HOMEPATH", "LOCALAPPDATA", "OS"})
        | {"PATHEXT", "PROCESSOR_ARCHITECTURE", "PROGRAMDATA", "PROGRAMFILES", "PROGRAMFILES(X86)"}
        | {"PROGRAMW6432", "PUBLIC", "SYSTEMDRIVE", "SYSTEMROOT", "USERNAME", "USERPROFILE", "WINDIR"},
    ),
    ("language, clock and scratch space", frozenset({"LANG", "LANGUAGE", "TZ", "TMPDIR", "TEMP", "TMP"})),
    (
        "where the user's files are: without it a server would make new ones, and sign in again",
        frozenset({"XDG_CACHE_HOME", "XDG_CONFIG_DIRS", "XDG_CONFIG_HOME", "XDG_DATA_DIRS", "XDG_DATA_HOME"})
        | {"XDG_RUNTIME_DIR", "XDG_STATE_HOME"},
    ),
    (
        "how to reach the network; it may hold a proxy's password, but without it there is no network",
        frozenset({"ALL_PROXY", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY"}),
    ),
    (
        "which certificates to trust, such as those of a company",
        frozenset({"CURL_CA_BUNDLE", "NODE_EXTRA_CA_CERTS", "REQUESTS_CA_BUNDLE", "SSL_CERT_DIR"})
        | {"NIX_SSL_CERT_FILE", "SSL_CERT_FILE"},
    ),
    (
        "where npx and uvx, which most configs use, keep and find packages; their tokens are in files",
        frozenset({"NPM_CONFIG_CACHE", "NPM_CONFIG_OFFLINE", "NPM_CONFIG_PREFIX", "NPM_CONFIG_REGISTRY"})
        | {"NPM_CONFIG_USERCONFIG", "PNPM_HOME", "BUN_INSTALL", "DENO_DIR", "FNM_DIR", "NVM_BIN", "NVM_DIR"}
        | {"VOLTA_HOME", "UV_CACHE_DIR", "UV_DEFAULT_INDEX", "UV_INDEX_URL", "UV_OFFLINE", "UV_PYTHON"}
        | {"UV_PYTHON_INSTALL_DIR", "UV_SYSTEM_CERTS", "UV_NATIVE_TLS", "UV_TOOL_DIR", "PIP_INDEX_URL"}
        | {
            "PIPX_HOME",
            "PYENV_ROOT",
            "ASDF_DIR",
            "ASDF_DATA_DIR",
            "MISE_DATA_DIR",
            "CARGO_HOME",
            "JAVA_HOME",
        },
    ),
    ("which engine `docker run` uses", frozenset({"DOCKER_CONFIG", "DOCKER_CONTEXT", "DOCKER_HOST"})),
    ("libraries outside the usual folders", frozenset({"DYLD_LIBRARY_PATH", "LD_LIBRARY_PATH"})),
    ("the screen, for servers that open a browser", frozenset({"DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY"})),
)
_NAMES: Final = frozenset[str]().union(*(names for _, names in PASSED_ON))
_LOCALE: Final = "LC_"
_SHELL_FUNCTION: Final = "()"  # as bash exports them; the SDKs leave them out as well


def server_environment(
    environ: Mapping[str, str], named: Mapping[str, str], *, whole: bool = False
) -> dict[str, str]:
    """The environment of a server; `whole` is for our own gateway, which fills in the variables of its configs."""
    passed = {name: value for name, value in environ.items() if whole or _is_passed_on(name, value)}
    return {**passed, **named}


def _is_passed_on(name: str, value: str) -> bool:
    """Case does not matter: Windows, proxy tools and npm write some names in lower case."""
    upper = name.upper()
    return (upper in _NAMES or upper.startswith(_LOCALE)) and not value.startswith(_SHELL_FUNCTION)
