"""The pinned servers that only the recording needs, installed below .cache/answer-servers."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CACHE = ROOT / ".cache"
HOME = CACHE / "answer-servers"
PYPI = ["mcp-server-sqlite==2025.4.25", "mcp<2"]  # it was written for the first SDK
NPM = ["@playwright/mcp@0.0.83", "@sparticuz/chromium@153.0.0"]  # the second is a browser as a package
TOOLS = CACHE / "npm-servers" / "tool" / "bin"  # Node and npm, which the tests install
_UNPACK = "import c from '@sparticuz/chromium'; console.log(await c.executablePath());"


def install() -> None:
    """Install what is missing. `scripts/fetch_test_parts.py` installs the others."""
    stamp, pins = HOME / ".installed", "\n".join(PYPI + NPM)
    if stamp.exists() and stamp.read_text() == pins:
        return
    print("installing the servers to record …", flush=True)
    _run(sys.executable, "-m", "venv", HOME / "python")
    _run(HOME / "python" / "bin" / "python", "-m", "pip", "install", "-q", *PYPI)
    _run(TOOLS / "npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", HOME / "npm", *NPM)
    stamp.write_text(pins)


def browser() -> Path:
    """The browser, unpacked."""
    unpack = HOME / "npm" / "unpack.mjs"
    unpack.write_text(_UNPACK)
    done = subprocess.run(
        [TOOLS / "node", unpack], env=_env() | {"TMPDIR": str(HOME)}, check=True, capture_output=True
    )
    return Path(done.stdout.decode().strip())


def _run(*command: str | Path) -> None:
    subprocess.run([str(part) for part in command], check=True, stdout=subprocess.DEVNULL, env=_env())


def _env() -> dict[str, str]:
    return {**os.environ, "PATH": f"{TOOLS}{os.pathsep}{os.environ.get('PATH', '')}"}
