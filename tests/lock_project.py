"""A folder with a config whose servers offer what the test says, and `toolbooth lock` there, in this process or not."""

import io
import json
import sys
from collections.abc import Mapping
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import pytest

from tests.behaviour.command_line import CommandResult, toolbooth
from toolbooth.cli.lock.command import run
from toolbooth.errors import ToolboothError

CHANGING_SERVER = str(Path(__file__).parent / "changing_server.py")


class Project:
    """`servers` go into its `mcp.json`; `offered` makes one whose tools are in a file."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(folder)
        self.folder = folder
        self.lock_file = folder / "toolbooth.lock"
        self.servers: dict[str, Any] = {}

    def offer(self, name: str, *tools: Mapping[str, Any], **more: Any) -> None:
        """From now on the server of that name has these tools."""
        file = self.folder / f"{name}.json"
        file.write_text(json.dumps({"tools": tools, **more}))
        self.servers.setdefault(name, {"command": sys.executable, "args": [CHANGING_SERVER, str(file)]})

    def lock(self, *words: str) -> CommandResult:
        """In this process: an import less, a second each."""
        self._configure()
        out, err = io.StringIO(), io.StringIO()
        with redirect_stdout(out), redirect_stderr(err):
            try:
                code = run(["mcp.json", *words])
            except ToolboothError as error:
                code = error.exit_code
                print(f"toolbooth: {error}", file=err)
        return CommandResult(code, out.getvalue(), err.getvalue())

    def typed(self, *words: str, **environ: str) -> CommandResult:
        """As a user types it."""
        self._configure()
        return toolbooth("lock", "mcp.json", *words, home=self.folder, cwd=None, **environ)

    def _configure(self) -> None:
        (self.folder / "mcp.json").write_text(json.dumps({"mcpServers": self.servers}))
