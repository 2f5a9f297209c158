"""Saved scripts as a table, as their code, or as JSON."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.text import Text

from toolbooth import __version__
from toolbooth.cli.terminal import Column, complain, out, print_columns, print_json
from toolbooth.safetext import code_for_terminal, for_terminal

if TYPE_CHECKING:
    from toolbooth.sandbox.scripts import Loaded, Script


_MOST_OF_A_DEFAULT = 24


def short(path: Path) -> str:
    """A path as a person writes it."""
    home = Path.home()
    return f"~/{path.relative_to(home)}" if path.is_relative_to(home) else str(path)


def print_scripts(folder: Path, loaded: "Loaded", *, as_json: bool) -> None:
    """What is there, and a line on stderr for each file that cannot be used."""
    scripts = loaded.scripts.values()
    for problem in loaded.problems:
        where, _, reason = problem.partition(": ")
        complain(where, reason)
    if as_json:
        found = [_facts(script) for script in scripts]
        _print_json({"folder": folder, "scripts": found, "problems": list(loaded.problems)})
        return
    console = out()
    if not scripts:
        hint = "save one with `toolbooth scripts save NAME FILE`"
        console.print(Text(f"no scripts in {for_terminal(short(folder))}; {hint}"), soft_wrap=True)
        return
    columns = [
        Column("script", "name", [Text(script.name) for script in scripts]),
        Column("arguments", "words", [Text(arguments_of(script)) for script in scripts]),
        Column("does", "words", [Text(_first_line(script)) for script in scripts], goes=1),
    ]
    print_columns(console, columns, console.width)
    console.print(Text(f"\nin {for_terminal(short(folder))}", "dim"), soft_wrap=True)


def print_script(file: Path, script: "Script", *, as_json: bool) -> None:
    """The script's code, or its facts as JSON."""
    if as_json:
        _print_json({**_facts(script), "path": file, "code": script.code})
        return
    print(code_for_terminal(script.code).rstrip("\n"))  # noqa: T201


def print_saved(file: Path, script: "Script", *, replaced: bool, as_json: bool) -> None:
    """Confirm the save, with the script's signature."""
    if as_json:
        _print_json({**_facts(script), "path": file, "replaced": replaced})
        return
    action = "replaced" if replaced else "saved"
    print(f"{action} {script.name}({arguments_of(script)}): {for_terminal(short(file))}")  # noqa: T201


def print_removed(file: Path, name: str, *, as_json: bool) -> None:
    """Confirm the removal."""
    if as_json:
        _print_json({"removed": name, "path": file})
        return
    print(f"removed {name}: {for_terminal(short(file))}")  # noqa: T201


def print_folder(folder: Path, *, as_json: bool) -> None:
    """For `cd "$(toolbooth scripts where)"`: nothing but the path."""
    if as_json:
        _print_json({"folder": folder, "exists": folder.is_dir()})
        return
    print(code_for_terminal(str(folder)))  # noqa: T201


def arguments_of(script: "Script") -> str:
    """`label, limit=10`, as a person would write them in Python."""
    schema = script.input_schema
    required = schema.get("required", ())
    return ", ".join(
        for_terminal(name, 40) + ("" if name in required else f"={_default(each)}")
        for name, each in schema["properties"].items()
    )


def _default(schema: dict[str, Any]) -> str:
    if "default" not in schema:
        return "…"
    return for_terminal(json.dumps(schema["default"], ensure_ascii=False), _MOST_OF_A_DEFAULT)


def _first_line(script: "Script") -> str:
    return for_terminal(script.description.splitlines()[0], 200)


def _facts(script: "Script") -> dict[str, Any]:
    return {
        "name": script.name,
        "description": script.description,
        "input_schema": script.input_schema,
    }


def _print_json(document: dict[str, Any]) -> None:
    print_json({"toolbooth": __version__, **document})
