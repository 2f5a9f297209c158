"""A model's name says whom to ask; one that nobody understands is refused with what was meant."""

import pytest

from toolbooth.errors import NoSuchModel, ProviderFault
from toolbooth.suite.agents.model_name import KEY_FREE, ModelName, read_model_name


@pytest.mark.parametrize(
    ("written", "provider", "model"),
    [
        ("anthropic:claude-sonnet-5-5", "anthropic", "claude-sonnet-5-5"),
        ("claude-sonnet-5-5", "anthropic", "claude-sonnet-5-5"),
        ("openai:gpt-5", "openai", "gpt-5"),
        ("gpt-4o-mini", "openai", "gpt-4o-mini"),
        ("chatgpt-4o-latest", "openai", "chatgpt-4o-latest"),
        ("o1", "openai", "o1"),
        ("o3-mini", "openai", "o3-mini"),
        ("o4-mini", "openai", "o4-mini"),
        ("openai-chat:gpt-5", "openai-chat", "gpt-5"),
        ("openai-responses:gpt-5", "openai-responses", "gpt-5"),
        ("google:gemini-2.5-pro", "google", "gemini-2.5-pro"),
        ("google-gla:gemini-2.5-pro", "google", "gemini-2.5-pro"),
        ("gemini:gemini-2.5-pro", "google", "gemini-2.5-pro"),
        ("gemini-2.5-flash", "google", "gemini-2.5-flash"),
        ("ollama:llama3.2", "ollama", "llama3.2"),
        ("ollama:llama3.2:3b", "ollama", "llama3.2:3b"),
        ("openai-compatible:qwen/qwen3", "openai-compatible", "qwen/qwen3"),
        (" Anthropic:claude-x ", "anthropic", "claude-x"),
    ],
)
def test_a_name_says_provider_and_model(written: str, provider: str, model: str) -> None:
    assert read_model_name(written) == ModelName(provider, model)


@pytest.mark.parametrize("written", KEY_FREE)
def test_key_free_models_are_their_own_provider(written: str) -> None:
    name = read_model_name(written)
    assert name.key_free
    assert str(name) == written


def test_any_other_name_with_a_base_url_is_an_openai_compatible_one() -> None:
    name = read_model_name("qwen2.5:7b", "http://localhost:8000/v1")
    assert name == ModelName("openai-compatible", "qwen2.5:7b")
    assert not name.key_free


def test_a_base_url_does_not_change_what_a_known_name_means() -> None:
    assert read_model_name("claude-x", "http://localhost/").provider == "anthropic"
    assert read_model_name("scripted", "http://localhost/").key_free


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("antropic:claude-x", "'anthropic:claude-x'"),
        ("openai/gpt-4o", "'openai:gpt-4o'"),
        ("cluade-sonnet-4", "'claude-sonnet-4'"),
        ("gemnii-2.5-pro", "'gemini-2.5-pro'"),
        ("scriptd", "'scripted'"),
        ("lexcal", "'lexical'"),
    ],
)
def test_a_slip_is_answered_with_what_was_meant(written: str, meant: str) -> None:
    with pytest.raises(NoSuchModel, match=f"did you mean {meant}") as caught:
        read_model_name(written)
    assert "known models are" in str(caught.value)


@pytest.mark.parametrize(
    "written",
    ["", "llama3.2", "anthropic:", ":", "gpt", "anthropic:a b", "google:../../x", "claude-" + "x" * 300],
)
def test_what_nobody_understands_is_refused_with_all_that_is(written: str) -> None:
    with pytest.raises(NoSuchModel, match=r"anthropic:…, openai:…, google:…, ollama:…") as caught:
        read_model_name(written)
    assert caught.value.exit_code == ProviderFault.exit_code == 3


def test_a_strange_name_is_shown_without_its_tricks() -> None:
    with pytest.raises(NoSuchModel) as caught:
        read_model_name("evil\x1b[31m\nmodel:" + "y" * 500)
    assert "\x1b" not in str(caught.value)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 500
