"""Keys come from the environment alone, and go only where they belong."""

import pytest

from toolbooth.errors import NoKey, ProviderFault
from toolbooth.suite.agents.model_name import read_model_name
from toolbooth.suite.agents.providers.clients import NO_KEY, find_access
from toolbooth.suite.spec.suite import ProviderSettings

PLAIN = ProviderSettings()


@pytest.mark.parametrize(
    ("model", "variable", "url"),
    [
        ("claude-x", "ANTHROPIC_API_KEY", "https://api.anthropic.com"),
        ("gpt-x", "OPENAI_API_KEY", "https://api.openai.com/v1"),
        ("gemini-x", "GOOGLE_API_KEY", "https://generativelanguage.googleapis.com"),
        ("gemini-x", "GEMINI_API_KEY", "https://generativelanguage.googleapis.com"),
    ],
)
def test_each_provider_has_its_variable_and_its_address(model: str, variable: str, url: str) -> None:
    access = find_access(read_model_name(model), PLAIN, {variable: " secret \n"})
    assert (access.url, access.key, access.variable, access.moved) == (url, "secret", variable, False)


@pytest.mark.parametrize(
    ("model", "names"),
    [
        ("claude-x", "ANTHROPIC_API_KEY"),
        ("gpt-x", "OPENAI_API_KEY"),
        ("gemini-x", "GOOGLE_API_KEY or GEMINI_API_KEY"),
    ],
)
@pytest.mark.parametrize(
    "environ", [{}, {"ANTHROPIC_API_KEY": " ", "OPENAI_API_KEY": "", "GOOGLE_API_KEY": ""}]
)
def test_a_missing_key_names_its_variable_and_the_way_out(
    model: str, names: str, environ: dict[str, str]
) -> None:
    with pytest.raises(NoKey, match=f"set {names}, or replay recordings") as caught:
        find_access(read_model_name(model), PLAIN, environ)
    assert caught.value.exit_code == 3


def test_ollama_needs_no_key_and_may_live_elsewhere() -> None:
    name = read_model_name("ollama:llama3.2")
    assert find_access(name, PLAIN, {}).url == "http://localhost:11434/v1"
    assert find_access(name, PLAIN, {"OLLAMA_BASE_URL": "http://box:1/v1"}).url == "http://box:1/v1"


def test_a_suites_own_base_url_gets_no_key_unasked() -> None:
    settings = ProviderSettings(base_url="http://localhost:9/v1")
    access = find_access(read_model_name("gpt-x"), settings, {"OPENAI_API_KEY": "secret"})
    assert (access.key, access.variable, access.moved) == (NO_KEY, "", True)


def test_a_suites_own_base_url_gets_the_key_that_is_named() -> None:
    settings = ProviderSettings(base_url="http://localhost:9/v1", api_key_env="MINE")
    assert find_access(read_model_name("gpt-x"), settings, {"MINE": "secret"}).key == "secret"
    with pytest.raises(NoKey, match="set MINE, or"):
        find_access(read_model_name("gpt-x"), settings, {"OPENAI_API_KEY": "secret"})


def test_a_providers_own_variable_moves_it_with_its_key() -> None:
    environ = {"ANTHROPIC_BASE_URL": "http://proxy/", "ANTHROPIC_API_KEY": "secret"}
    access = find_access(read_model_name("claude-x"), PLAIN, environ)
    assert (access.url, access.key) == ("http://proxy/", "secret")


@pytest.mark.parametrize("url", ["", "localhost:8000", "file:///etc/passwd", "http://", "http://a:99999/"])
def test_without_an_address_there_is_nothing_to_ask(url: str) -> None:
    with pytest.raises(ProviderFault, match="needs a base_url"):
        find_access(read_model_name("openai-compatible:x"), ProviderSettings(base_url=url or None), {})


def test_a_key_that_cannot_travel_in_a_header_is_refused_unseen() -> None:
    with pytest.raises(NoKey, match="OPENAI_API_KEY contains characters") as caught:
        find_access(read_model_name("gpt-x"), PLAIN, {"OPENAI_API_KEY": "sec\r\nret"})
    assert "ret" not in str(caught.value).replace("characters", "")


def test_a_key_is_not_in_what_is_printed_of_it() -> None:
    access = find_access(read_model_name("gpt-x"), PLAIN, {"OPENAI_API_KEY": "CANARY"})
    assert "CANARY" not in repr(access)
