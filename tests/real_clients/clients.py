"""The real clients that the tests run: how each is started against a provider on loopback."""

import json
from typing import Final

from tests.real_clients.client_home import RealClient

PROMPT: Final = "How many open tickets are there?"
CLAUDE_CODE: Final = RealClient(
    "claude-code",
    "@anthropic-ai/claude-code",
    (
        "claude",
        "-p",
        PROMPT,
        "--dangerously-skip-permissions",
        "--output-format",
        "stream-json",
        "--verbose",
    ),
    ".claude.json",
    {
        "ANTHROPIC_BASE_URL": "{url}",
        "ANTHROPIC_API_KEY": "dummy",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "DISABLE_AUTOUPDATER": "1",
        "IS_SANDBOX": "1",  # else it refuses to run for root without asking for permissions
    },
)
TOOL_SEARCH: Final = (
    "ENABLE_TOOL_SEARCH"  # of Claude Code; off by itself where the provider is not Anthropic's own
)
# Models of Codex, by the way in which it offers tools to them
BY_CODE, SEARCHING, WHOLE = "gpt-6-sol", "gpt-5.5", "a-model-that-codex-does-not-know"
_PROVIDER: Final = {
    "model": BY_CODE,
    "otel.metrics_exporter": "none",  # else it spends five seconds at its end on a network that is not there
    "model_provider": "loop",
    "model_providers.loop.name": "loop",
    "model_providers.loop.base_url": "{url}/v1",
    "model_providers.loop.env_key": "LOOP_KEY",
}
CODEX: Final = RealClient(
    "codex",
    "@openai/codex",
    (
        "codex",
        "exec",
        "--json",
        "--skip-git-repo-check",
        "--dangerously-bypass-approvals-and-sandbox",
        "--disable",
        "plugins",  # it would look for them in a network that is not there
        *(word for key, value in _PROVIDER.items() for word in ("-c", f'{key}="{value}"')),
        PROMPT,
    ),
    ".codex/config.toml",
    {"LOOP_KEY": "dummy"},
)
_LOOP: Final = {
    "provider": {
        "loop": {
            "npm": "@ai-sdk/anthropic",
            "name": "loop",
            "options": {"baseURL": "{url}/v1", "apiKey": "dummy"},
            "models": {
                "model": {"name": "model", "tool_call": True, "limit": {"context": 200_000, "output": 8_000}}
            },
        }
    },
    "small_model": "loop/model",
    "share": "disabled",
}
GEMINI_CLI: Final = RealClient(
    "gemini",
    "@google/gemini-cli",
    ("gemini", "-p", PROMPT, "--yolo", "-o", "json", "-m", "gemini-2.5-flash"),
    ".gemini/settings.json",
    {"GEMINI_API_KEY": "dummy", "GOOGLE_GEMINI_BASE_URL": "{url}", "GEMINI_CLI_TRUST_WORKSPACE": "true"},
    "mcp_toolbooth_",
    {
        "security": {"auth": {"selectedType": "gemini-api-key"}},
        "privacy": {"usageStatisticsEnabled": False},
        "general": {"enableAutoUpdate": False},
    },
)
OPENCODE: Final = RealClient(
    "opencode",
    "opencode-ai",
    ("opencode", "run", "--format", "json", "--auto", "-m", "loop/model", PROMPT),
    ".config/opencode/opencode.json",
    {
        "OPENCODE_CONFIG_CONTENT": json.dumps(_LOOP),
        "OPENCODE_DISABLE_AUTOUPDATE": "1",
        "OPENCODE_DISABLE_MODELS_FETCH": "1",
        "OPENCODE_DISABLE_LSP_DOWNLOAD": "1",
    },
    "toolbooth_",
)
REAL_CLIENTS: Final = (CLAUDE_CODE, CODEX, GEMINI_CLI, OPENCODE)
