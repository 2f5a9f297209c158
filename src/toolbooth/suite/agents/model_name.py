"""Model names as suites write them, read as a provider and the provider's own name of the model."""

import re
from typing import Final, NamedTuple

from toolbooth import errors, limits, safetext, suggest
from toolbooth.catalog.config.key_table import Mistakes
from toolbooth.suite.spec.suite import Suite

KEY_FREE: Final = ("scripted", "lexical", "replay")
COMPATIBLE: Final = "openai-compatible"
# The spellings of a provider in suites and other tools; each of OpenAI's two interfaces has a name.
PROVIDERS: Final = {
    "anthropic": "anthropic",
    "openai": "openai",
    "openai-responses": "openai-responses",
    "openai-chat": "openai-chat",
    "google": "google",
    "google-gla": "google",
    "gemini": "google",
    "ollama": "ollama",
    COMPATIBLE: COMPATIBLE,
}
_FAMILIES: Final = (
    (re.compile(r"claude-"), "anthropic"),
    (re.compile(r"(?:chat)?gpt-"), "openai"),
    (re.compile(r"o[1-9](?:-|$)"), "openai"),
    (re.compile(r"gemini-"), "google"),
)
_FAMILY_WORDS: Final = ("claude", "gpt", "chatgpt", "gemini")
_NAME: Final = re.compile(r"[A-Za-z0-9][\w.:/@+-]*", re.ASCII)  # some providers put it into a URL path
UNDERSTOOD: Final = (
    "known models are anthropic:…, openai:…, google:…, ollama:…, openai-compatible:… with a base_url, "
    f"the bare names claude-…, gpt-…, o3…, gemini-…, and {', '.join(KEY_FREE)}, which need no key"
)


class ModelName(NamedTuple):
    """A provider and its model; a key-free model is its own provider."""

    provider: str
    model: str

    @property
    def key_free(self) -> bool:
        """Whether it needs neither a key nor a network."""
        return self.provider in KEY_FREE

    def __str__(self) -> str:
        return self.provider if self.key_free else f"{self.provider}:{self.model}"


def read_model_name(written: str, base_url: str | None = None) -> ModelName:
    """Read a suite's `model:`. With a `base_url`, any other name is a model of an OpenAI-compatible service.

    Raises NoSuchModel with a suggestion.
    """
    name = written.strip()
    if name.lower() in KEY_FREE:
        return ModelName(name.lower(), name.lower())
    found = _with_provider(name) or _by_family(name)
    if found is None and base_url:
        found = ModelName(COMPATIBLE, name)
    if found is None or len(name) > limits.MAX_MODEL_NAME or not _NAME.fullmatch(found.model):
        raise errors.NoSuchModel(f"unknown model {safetext.for_terminal(written, 80)!r}; {_meant(name)}")
    return found


def _with_provider(name: str) -> ModelName | None:
    head, colon, model = name.partition(":")
    provider = PROVIDERS.get(head.strip().lower()) if colon else None
    return ModelName(provider, model.strip()) if provider else None


def _by_family(name: str) -> ModelName | None:
    fits = (provider for pattern, provider in _FAMILIES if pattern.match(name.lower()))
    provider = next(fits, None)
    return ModelName(provider, name) if provider else None


def _meant(name: str) -> str:
    cut = re.search(r"[:/]", name)
    head, rest = (name[: cut.start()], name[cut.end() :]) if cut else (name, "")
    near = suggest.closest(head, PROVIDERS) if rest else []
    if near:
        return f"did you mean {safetext.for_terminal(f'{near[0]}:{rest}', 80)!r}? {UNDERSTOOD}"
    family, dash, version = name.partition("-")
    words = _FAMILY_WORDS if dash and version else KEY_FREE
    near = suggest.closest(family if dash else name, words)
    guess = f"{near[0]}{dash}{version}" if near else ""
    return f"did you mean {safetext.for_terminal(guess, 80)!r}? {UNDERSTOOD}" if guess else UNDERSTOOD


def check_models(suite: Suite) -> None:
    """Check every model name of a suite. Raises ConfigError at the line of the test with an unknown model."""
    mistakes = Mistakes()
    for test in suite.tests:
        for model in test.models:
            with mistakes.kept():
                try:
                    read_model_name(model, test.agent.base_url)
                except errors.NoSuchModel as error:
                    raise errors.ConfigError(str(error), suite.path, test.line or None) from None
    mistakes.raise_found()
