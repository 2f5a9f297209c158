"""An address and a key → the provider's own client, which neither retries nor follows redirects by itself."""

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

from toolbooth.errors import ProviderFault
from toolbooth.limits import MAX_MODEL_ANSWER, MODEL_CONNECT, MODEL_CONNECTIONS
from toolbooth.suite.agents.model_name import ModelName
from toolbooth.suite.agents.providers.access import Access

if TYPE_CHECKING:
    from ssl import SSLContext

    from httpx2 import AsyncClient
    from openai import AsyncOpenAI
    from pydantic_ai.models import Model as Adapter
    from pydantic_ai.profiles import ModelProfile

Opens = Callable[[str, Access, "AsyncClient"], "Adapter"]


class Kind(NamedTuple):
    """How one kind of provider is opened, and the extra of ours that brings its package."""

    extra: str
    opens: Opens


_KINDS: Final[dict[str, Kind]] = {}


def _kind(extra: str, *providers: str) -> Callable[[Opens], Opens]:
    def register(opens: Opens) -> Opens:
        _KINDS.update(dict.fromkeys(providers, Kind(extra, opens)))
        return opens

    return register


def open_adapter(name: ModelName, access: Access, http: "AsyncClient") -> "Adapter":
    """The model behind the package's interface. Raises ProviderFault where the package is not installed."""
    kind = _KINDS[name.provider]
    try:
        return kind.opens(name.model, access, http)
    except ImportError:
        wanted = f"pip install 'toolbooth[{kind.extra}]'"
        raise ProviderFault(f"the package for {name} is not installed; {wanted}") from None


def http_client(timeout: float) -> "AsyncClient":
    """Proxies of the environment are used; a redirect is not followed, since the key would go along."""
    from httpx2 import Limits, Timeout

    from toolbooth.catalog.http_client import http_client as make

    return make(
        MAX_MODEL_ANSWER,
        within=timeout,
        verify=_certificates(),
        timeout=Timeout(timeout, connect=min(timeout, MODEL_CONNECT)),
        limits=Limits(max_connections=MODEL_CONNECTIONS),
        follow_redirects=False,
    )


@cache
def _certificates() -> "SSLContext":
    """One for all clients: it takes 20 ms to read."""
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
    # Only OpenAI itself is sure to have the interface that carries a model's reasoning from turn to turn.
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
    """Schemas go out as the servers wrote them: a model under test sees what we weigh."""
    from pydantic_ai.profiles import ModelProfile

    return ModelProfile(json_schema_transformer=None)


def _plain() -> "ModelProfile":
    """What every service understands: many know only the old name of the limit on an answer."""
    from pydantic_ai.profiles.openai import OpenAIModelProfile

    return OpenAIModelProfile(openai_chat_supports_max_completion_tokens=False)


def _openai_client(access: Access, http: "AsyncClient") -> "AsyncOpenAI":
    from openai import AsyncOpenAI

    return AsyncOpenAI(api_key=access.key, base_url=access.url, http_client=http, max_retries=0)
