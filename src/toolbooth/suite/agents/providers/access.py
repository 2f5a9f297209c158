"""A model's name, settings and the environment → the address to ask, and the key for it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from toolbooth.errors import NoKey, ProviderFault
from toolbooth.safetext import for_terminal
from toolbooth.suite.agents.model_name import COMPATIBLE, ModelName
from toolbooth.suite.agents.providers.settings import ProviderSettings

NO_KEY: Final = "no-key-needed"  # the packages want some text, and services without keys read none
_KEY: Final = re.compile(r"[!-~]+")  # it travels in a header


class Home(NamedTuple):
    """Where a provider lives unless told otherwise."""

    keys: tuple[str, ...]
    moved_by: str
    url: str


_OPENAI: Final = Home(("OPENAI_API_KEY",), "OPENAI_BASE_URL", "https://api.openai.com/v1")
_HOMES: Final = {
    "anthropic": Home(("ANTHROPIC_API_KEY",), "ANTHROPIC_BASE_URL", "https://api.anthropic.com"),
    "openai": _OPENAI,
    "openai-chat": _OPENAI,
    "openai-responses": _OPENAI,
    "google": Home(
        ("GOOGLE_API_KEY", "GEMINI_API_KEY"),
        "GOOGLE_GEMINI_BASE_URL",
        "https://generativelanguage.googleapis.com",
    ),
    "ollama": Home((), "OLLAMA_BASE_URL", "http://localhost:11434/v1"),
    COMPATIBLE: Home((), "", ""),
}


@dataclass(frozen=True)
class Access:
    """`variable` is where the key came from, empty where none is needed; `moved` says it is not the usual URL."""

    provider: str
    url: str
    key: str = field(default=NO_KEY, repr=False)
    variable: str = ""
    moved: bool = False


def find_access(name: ModelName, settings: ProviderSettings, environ: Mapping[str, str]) -> Access:
    """Raises NoKey, or ProviderFault where there is no address to ask. A suite's own `base_url` gets no key unasked."""
    home = _HOMES[name.provider]
    url = settings.base_url or environ.get(home.moved_by, "").strip() or home.url
    if not _is_address(url):
        wanted = "needs a base_url, such as http://localhost:8000/v1"
        raise ProviderFault(f"{name} {wanted}{f', not {for_terminal(url, 80)!r}' if url else ''}")
    variables = home.keys if settings.base_url is None else ()
    if settings.api_key_env:
        variables = (settings.api_key_env,)
    key, variable = _key(name, variables, environ)
    return Access(name.provider, url, key, variable, url.rstrip("/") != home.url)


def _is_address(url: str) -> bool:
    try:
        parts = urlsplit(url)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:
        return False


def _key(name: ModelName, variables: tuple[str, ...], environ: Mapping[str, str]) -> tuple[str, str]:
    if not variables:
        return NO_KEY, ""
    for variable in variables:
        key = environ.get(variable, "").strip()
        if key and not _KEY.fullmatch(key):
            raise NoKey(
                f"{for_terminal(variable, 60)} holds characters that no key has; set it anew for {name}"
            )
        if key:
            return key, variable
    listed = for_terminal(" or ".join(variables), 120)
    raise NoKey(f"{name} needs a key: set {listed}, or replay recordings, which need none")
