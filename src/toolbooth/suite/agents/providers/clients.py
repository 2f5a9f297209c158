"""Clients of providers: the URL and key from settings and environment, and the provider's own package.

A client neither retries nor follows redirects.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import urlsplit

from toolbooth import errors, limits, registry, safetext, suggest
from toolbooth.suite.agents.model_name import COMPATIBLE, ModelName
from toolbooth.suite.spec.suite import ProviderSettings

if TYPE_CHECKING:
    from ssl import SSLContext

    from httpx2 import AsyncClient
    from openai import AsyncOpenAI
    from pydantic_ai.models import Model as Adapter
    from pydantic_ai.profiles import ModelProfile


NO_KEY: Final = "no-key-needed"  # the packages require a string, and services without keys ignore it
_KEY: Final = re.compile(r"[!-~]+")  # it is sent in a header


class ProviderEndpoint(NamedTuple):
    """The default URL of a provider, and the variables for its key and URL."""

    keys: tuple[str, ...]
    url_variable: str
    url: str


_OPENAI: Final = ProviderEndpoint(("OPENAI_API_KEY",), "OPENAI_BASE_URL", "https://api.openai.com/v1")
_ENDPOINTS: Final = {
    "anthropic": ProviderEndpoint(("ANTHROPIC_API_KEY",), "ANTHROPIC_BASE_URL", "https://api.anthropic.com"),
    "openai": _OPENAI,
    "openai-chat": _OPENAI,
    "openai-responses": _OPENAI,
    "google": ProviderEndpoint(
        ("GOOGLE_API_KEY", "GEMINI_API_KEY"),
        "GOOGLE_GEMINI_BASE_URL",
        "https://generativelanguage.googleapis.com",
    ),
    "ollama": ProviderEndpoint((), "OLLAMA_BASE_URL", "http://localhost:11434/v1"),
    COMPATIBLE: ProviderEndpoint((), "", ""),
}


@dataclass(frozen=True)
class Access:
    """`variable` is where the key came from, empty if none is needed; `moved` means that the URL is not the default."""

    provider: str
    url: str
    key: str = field(default=NO_KEY, repr=False)
    variable: str = ""
    moved: bool = False


def find_access(name: ModelName, settings: ProviderSettings, environ: Mapping[str, str]) -> Access:
    """Raises NoKey, or ProviderFault without a valid URL. The suite's `base_url` gets a key only by `api_key_env`."""
    endpoint = _ENDPOINTS[name.provider]
    url = settings.base_url or environ.get(endpoint.url_variable, "").strip() or endpoint.url
    if not _is_address(url):
        wanted = "needs a base_url such as http://localhost:8000/v1"
        raise errors.ProviderFault(
            f"{name} {wanted}{f', not {safetext.for_terminal(url, 80)!r}' if url else ''}"
        )
    variables = endpoint.keys if settings.base_url is None else ()
    if settings.api_key_env:
        variables = (settings.api_key_env,)
    key, variable = _key(name, variables, environ)
    return Access(name.provider, url, key, variable, url.rstrip("/") != endpoint.url)


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
            raise errors.NoKey(
                f"{safetext.for_terminal(variable, 60)} contains characters that no key has; set it to a "
                f"valid key for {name}"
            )
        if key:
            return key, variable
    listed = safetext.for_terminal(" or ".join(variables), 120)
    raise errors.NoKey(f"{name} needs a key; set {listed}, or replay recordings, which need no key")


Opens = Callable[[str, Access, "AsyncClient"], "Adapter"]


class ProviderKind(NamedTuple):
    """How one kind of provider is opened, and the extra of Toolbooth that installs its package."""

    extra: str
    opens: Opens


_KINDS: Final = registry.Registry[ProviderKind]("provider")


def _kind(extra: str, provider: str) -> Callable[[Opens], Opens]:
    def register(opens: Opens) -> Opens:
        _KINDS.add(provider, ProviderKind(extra, opens))
        return opens

    return register


def open_adapter(name: ModelName, access: Access, http: "AsyncClient") -> "Adapter":
    """The model behind the package's interface. Raises ProviderFault if the package is not installed."""
    kind = _KINDS[name.provider]
    try:
        return kind.opens(name.model, access, http)
    except ImportError:
        command = suggest.install_extra(kind.extra)
        raise errors.ProviderFault(f"the package for {name} is not installed; run {command}") from None


def http_client(timeout: float) -> "AsyncClient":
    """Uses the proxies of the environment. It follows no redirects, because the key would be sent along."""
    from httpx2 import Limits, Timeout

    from toolbooth.catalog import http_client as make

    return make(
        limits.MAX_MODEL_ANSWER,
        within=timeout,
        verify=_certificates(),
        timeout=Timeout(timeout, connect=min(timeout, limits.MODEL_CONNECT)),
        limits=Limits(max_connections=limits.MODEL_CONNECTIONS),
        follow_redirects=False,
    )


@cache
def _certificates() -> "SSLContext":
    """Shared by all clients: it takes 20 ms to read."""
    from httpx2 import create_ssl_context

    return create_ssl_context()


@_kind("anthropic", "anthropic")
def _anthropic(model: str, access: Access, http: "AsyncClient") -> "Adapter":
    from anthropic import AsyncAnthropic
    from pydantic_ai.models.anthropic import AnthropicModel
    from pydantic_ai.providers.anthropic import AnthropicProvider

    client = AsyncAnthropic(api_key=access.key, base_url=access.url, http_client=http, max_retries=0)
    return AnthropicModel(model, provider=AnthropicProvider(anthropic_client=client), profile=_as_written())


@_kind("google", "google")
def _google(model: str, access: Access, http: "AsyncClient") -> "Adapter":
    from pydantic_ai.models.google import GoogleModel
    from pydantic_ai.providers.google import GoogleProvider

    provider = GoogleProvider(api_key=access.key, base_url=access.url, http_client=http)
    return GoogleModel(model, provider=provider)  # without retry_options it tries once


@_kind("openai", "openai")
def _openai(model: str, access: Access, http: "AsyncClient") -> "Adapter":
    # Only OpenAI itself is sure to have the Responses interface, which carries reasoning from turn to turn.
    return (_chat if access.moved else _responses)(model, access, http)


@_kind("openai", "openai-responses")
def _responses(model: str, access: Access, http: "AsyncClient") -> "Adapter":
    from pydantic_ai.models.openai import OpenAIResponsesModel
    from pydantic_ai.providers.openai import OpenAIProvider

    provider = OpenAIProvider(openai_client=_openai_client(access, http))
    return OpenAIResponsesModel(model, provider=provider, profile=_as_written())


@_kind("openai", "openai-chat")
def _chat(model: str, access: Access, http: "AsyncClient") -> "Adapter":
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai import OpenAIProvider

    provider = OpenAIProvider(openai_client=_openai_client(access, http))
    return OpenAIChatModel(model, provider=provider, profile=_as_written())


@_kind("openai", "openai-compatible")
def _compatible(model: str, access: Access, http: "AsyncClient") -> "Adapter":
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider

    provider = OpenAICompatibleProvider(access.provider, openai_client=_openai_client(access, http))
    return OpenAIChatModel(model, provider=provider, profile=_plain())


@_kind("openai", "ollama")
def _ollama(model: str, access: Access, http: "AsyncClient") -> "Adapter":
    from pydantic_ai.models.ollama import OllamaModel
    from pydantic_ai.providers.ollama import OllamaProvider

    provider = OllamaProvider(openai_client=_openai_client(access, http))
    return OllamaModel(model, provider=provider, profile=_plain())


def _as_written() -> "ModelProfile":
    """Sends schemas as the servers wrote them, so that the model sees what we count."""
    from pydantic_ai.profiles import ModelProfile

    return ModelProfile(json_schema_transformer=None)


def _plain() -> "ModelProfile":
    """What every service understands: many know only `max_tokens`, the older name of the output limit."""
    from pydantic_ai.profiles.openai import OpenAIModelProfile

    return OpenAIModelProfile(openai_chat_supports_max_completion_tokens=False)


def _openai_client(access: Access, http: "AsyncClient") -> "AsyncOpenAI":
    from openai import AsyncOpenAI

    return AsyncOpenAI(api_key=access.key, base_url=access.url, http_client=http, max_retries=0)
