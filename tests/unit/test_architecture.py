"""The architecture as tests: the order of packages, their entry points, sizes, imports, names and docstrings."""

import ast
import importlib
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "toolbooth"
FILES = sorted(SOURCE.rglob("*.py"))

# From top to bottom: a package imports only packages above it.
PACKAGES = (
    "schema",
    "catalog",
    "tokens",
    "search",
    "economics",
    "contracts",
    "sandbox",
    "store",
    "access",
    "gateway",
    "bench",
    "suite",
    "web",
    "demo",
    "cli",
)
ROOT_MODULES = {"errors", "limits", "safetext", "files", "figures", "suggest", "registry", "lazy", "own_json"}
# Entry points beside the packages' own: large parts with a vocabulary of their own.
ENTRY_POINTS = {
    "toolbooth.bench.report",
    "toolbooth.catalog.config",
    "toolbooth.catalog.config.key_table",
    "toolbooth.catalog.connect",
    "toolbooth.catalog.connect.oauth",
    "toolbooth.contracts.diff",
    "toolbooth.contracts.lint",
    "toolbooth.contracts.reporting",
    "toolbooth.contracts.scan",
    "toolbooth.suite.reporters",
}
MAX_ENTRY_POINTS = 15
MAX_FILE, MAX_FUNCTION = 400, 50
# A module below this that one sibling alone imports hides nothing; it only moves the work to the reader's tabs.
MIN_FILE = 40
SMALL_ON_PURPOSE: dict[str, str] = {}
MAX_IMPORTS = 25  # of our own modules, per 1,000 lines of code


class Import(NamedTuple):
    """One imported module, with the names that are taken from it; none where the module itself is used."""

    file: Path
    line: int
    module: str
    names: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.file.relative_to(SOURCE)}:{self.line} imports {self.module} {self.names}"


@cache
def parse(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def package_of(path: Path) -> str:
    parts = path.relative_to(SOURCE).parts
    return parts[0] if len(parts) > 1 else ""


def is_module(name: str) -> bool:
    path = SOURCE.parent / Path(*name.split("."))
    return path.is_dir() or path.with_suffix(".py").is_file()


def own_imports(path: Path) -> Iterator[Import]:
    for node in ast.walk(parse(path)):
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, (
                f"{path}:{node.lineno}: a relative import does not say which package it enters"
            )
            module = str(node.module)
            if module.split(".")[0] == "toolbooth":
                modules = [a.name for a in node.names if is_module(f"{module}.{a.name}")]
                yield from (Import(path, node.lineno, f"{module}.{name}", ()) for name in modules)
                names = tuple(a.name for a in node.names if a.name not in modules)
                if names:
                    yield Import(path, node.lineno, module, names)
        elif isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.split(".")[0] == "toolbooth":
                    yield Import(path, node.lineno, alias.name, ())


def target_of(module: str) -> str:
    parts = module.split(".")
    return parts[1] if len(parts) > 1 else ""


def foreign_imports(file: Path) -> Iterator[Import]:
    """Imports of another package; the root modules are open to all."""
    for each in own_imports(file):
        target = target_of(each.module)
        if target and target not in ROOT_MODULES and target != package_of(file) and target != "__main__":
            yield each


def test_every_package_is_known_and_none_is_empty() -> None:
    found = {path.name for path in SOURCE.iterdir() if path.is_dir() and path.name != "__pycache__"}
    assert found == set(PACKAGES)
    assert all(any((SOURCE / package).glob("*.py")) for package in found)


def test_the_root_modules_are_known() -> None:
    assert {path.stem for path in SOURCE.glob("*.py")} == ROOT_MODULES | {"__init__", "__main__"}


def test_a_package_imports_only_packages_above_it() -> None:
    broken = []
    for file in FILES:
        package = package_of(file)
        for each in foreign_imports(file):
            if file == SOURCE / "__main__.py":
                continue
            if not package or PACKAGES.index(target_of(each.module)) >= PACKAGES.index(package):
                broken.append(str(each))
    assert not broken


def test_other_packages_are_entered_through_their_entry_points() -> None:
    broken = []
    for file in FILES:
        for each in foreign_imports(file):
            if file == SOURCE / "__main__.py":
                continue
            if each.module != f"toolbooth.{target_of(each.module)}" and each.module not in ENTRY_POINTS:
                broken.append(str(each))
            elif not set(each.names) <= set(importlib.import_module(each.module).__all__):
                broken.append(f"{each}: not in __all__")
    assert not broken


def test_there_are_few_entry_points_and_each_is_used() -> None:
    assert len(ENTRY_POINTS) <= MAX_ENTRY_POINTS
    used = {each.module for file in FILES for each in foreign_imports(file)}
    assert not ENTRY_POINTS - used


def lazy_imports(init: Path) -> dict[str, str]:
    """What a type checker reads in an `__init__`: each name with the module that defines it."""
    return {
        alias.name: str(node.module)
        for block in parse(init).body
        if isinstance(block, ast.If)
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }


LAZY = [
    f for f in FILES if f.parent.parent == SOURCE and f.name == "__init__.py" and "exports(" in f.read_text()
]


@pytest.mark.parametrize("init", LAZY, ids=lambda path: str(path.parent.relative_to(SOURCE)))
def test_an_entry_point_gives_at_run_time_what_type_checkers_read(init: Path) -> None:
    module = importlib.import_module("toolbooth." + ".".join(init.parent.relative_to(SOURCE).parts))
    typed = lazy_imports(init)
    assert sorted(typed) == sorted(module.__all__)
    assert typed
    for name, home in typed.items():
        assert getattr(module, name) is getattr(importlib.import_module(home), name), name
        assert not is_module(f"{module.__name__}.{name}"), f"{name} is also a module of {module.__name__}"


def test_a_module_that_is_imported_whole_defines_nothing_of_its_own_name() -> None:
    """`from package import name` is then the module or something that the package exports, and never either."""
    whole = {each.module for file in FILES for each in own_imports(file) if not each.names}
    broken = []
    for module in whole:
        path = (SOURCE.parent / Path(*module.split("."))).with_suffix(".py")
        names = {getattr(node, "name", "") for node in parse(path).body} if path.is_file() else set()
        broken += [module] * (path.stem in names)
    assert not broken


def test_an_entry_point_imports_nothing_before_it_is_used() -> None:
    packages = ["toolbooth." + ".".join(path.parent.relative_to(SOURCE).parts) for path in LAZY]
    code = f"import sys, {', '.join(packages)}; print(*(m for m in sys.modules if m.startswith('toolbooth')))"
    loaded = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True
    ).stdout.split()
    assert set(loaded) <= {"toolbooth", "toolbooth.lazy", *packages}


def test_an_entry_point_refuses_a_name_that_it_does_not_have() -> None:
    with pytest.raises(AttributeError, match=r"module 'toolbooth.catalog' has no attribute 'nothing'"):
        _ = importlib.import_module("toolbooth.catalog").nothing


@pytest.mark.parametrize("name", sorted(ENTRY_POINTS))
def test_an_entry_point_has_every_name_that_it_lists(name: str) -> None:
    module = importlib.import_module(name)
    assert len(set(module.__all__)) == len(module.__all__) > 0
    assert all(hasattr(module, each) for each in module.__all__)


def test_files_and_functions_keep_their_size() -> None:
    broken = []
    for file in FILES:
        name = str(file.relative_to(SOURCE))
        lines = len(file.read_text(encoding="utf-8").splitlines())
        if lines > MAX_FILE:
            broken.append(f"{name}: {lines} lines")
        for node in ast.walk(parse(file)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                length = (node.end_lineno or 0) - node.lineno + 1
                if length > MAX_FUNCTION:
                    broken.append(f"{name}:{node.lineno} {node.name}: {length} lines")
    assert not broken


def importers() -> dict[str, set[Path]]:
    found: dict[str, set[Path]] = defaultdict(set)
    for file in FILES:
        for each in own_imports(file):
            found[each.module].add(file)
    return found


def test_a_small_module_that_one_sibling_imports_has_a_listed_reason() -> None:
    small = set()
    imported_by = importers()
    for file in FILES:
        module = ".".join(("toolbooth", *file.relative_to(SOURCE).with_suffix("").parts))
        lines = len(file.read_text(encoding="utf-8").splitlines())
        by = imported_by[module]
        if lines < MIN_FILE and file.name != "__init__.py" and [each.parent for each in by] == [file.parent]:
            small.add(str(file.relative_to(SOURCE)))
    assert small == set(SMALL_ON_PURPOSE)


def test_the_code_imports_itself_seldom() -> None:
    """Counted as `import from` statements, as they stand in the files."""
    statements = lines = 0
    for file in FILES:
        lines += len(file.read_text(encoding="utf-8").splitlines())
        for node in ast.walk(parse(file)):
            statements += isinstance(node, ast.ImportFrom) and str(node.module).split(".")[0] == "toolbooth"
    assert statements / lines * 1000 < MAX_IMPORTS


def test_a_public_class_name_means_one_thing() -> None:
    homes = defaultdict(list)
    for file in FILES:
        for node in parse(file).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                homes[node.name].append(str(file.relative_to(SOURCE)))
    assert not {name: files for name, files in homes.items() if len(files) > 1}


def test_every_module_says_what_it_is() -> None:
    """In words: a line of arrows between types has to be decoded first."""
    wrong = []
    for file in FILES:
        first = (ast.get_docstring(parse(file)) or "").split("\n")[0].strip()
        if not first or "→" in first or " × " in first:
            wrong.append(f"{file.relative_to(SOURCE)}: {first}")
    assert not wrong


def private_modules(tree: ast.Module) -> set[str]:
    """The private modules and names of the SDK that a file imports."""
    found = set()
    for node in ast.walk(tree):
        match node:
            case ast.ImportFrom(module=str(module), names=names):
                found |= {f"{module}.{alias.name}" for alias in names}
            case ast.Import(names=names):
                found |= {alias.name for alias in names}
    return {
        name
        for name in found
        if name.split(".")[0] in ("mcp", "mcp_types")
        and any(part.startswith("_") for part in name.split("."))
    }


def test_private_parts_of_the_sdk_are_imported_in_one_adapter_of_each_package() -> None:
    assert private_modules(ast.parse("from mcp.client._transport import ReadStream"))
    assert private_modules(ast.parse("from mcp import _client")) == {"mcp._client"}
    assert private_modules(ast.parse("import mcp.shared._httpx_utils"))
    importers = {str(file.relative_to(SOURCE)) for file in FILES if private_modules(parse(file))}
    assert importers == {"catalog/connect/sdk_private.py"}


# Each makes a client, or sends without one; in `http_clients.py` alone is it bounded.
CLIENT_MAKERS = {
    "httpx2": {"AsyncClient", "Client", "AsyncHTTPTransport", "HTTPTransport", "get", "post", "put", "patch", "delete",
               "head", "options", "request", "stream"},
    "mcp.client.sse": {"sse_client"},
    "mcp.shared._httpx_utils": {"create_mcp_http_client"},
    "urllib.request": {"urlopen", "urlretrieve", "build_opener"},
}  # fmt: skip
FOREIGN_CLIENTS = {"httpx", "aiohttp", "requests", "urllib3", "http.client", "httpcore2", "websockets"}


def client_makers(tree: ast.Module) -> list[int]:
    """Lines that make an HTTP client, or import a library whose clients are not ours."""
    found = []
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id="httpx2"), attr=name)):
                found += [node.lineno] * (name in CLIENT_MAKERS["httpx2"])
            case ast.Call(
                func=ast.Name(id="streamable_http_client" | "streamablehttp_client"), keywords=given
            ):
                found += [node.lineno] * ("http_client" not in {each.arg for each in given})
            case ast.ImportFrom(module=str(module), names=names):
                wanted = CLIENT_MAKERS.get(module, set()) & {alias.name for alias in names}
                found += [node.lineno] * bool(wanted or module.split(".")[0] in FOREIGN_CLIENTS)
            case ast.Import(names=names):
                foreign = {alias.name for alias in names} & (FOREIGN_CLIENTS | {"urllib.request"})
                found += [node.lineno] * bool(foreign)
    return found


@pytest.mark.parametrize(
    "line",
    [
        "httpx2.AsyncClient()",
        "httpx2.get(url)",
        "from httpx2 import AsyncClient",
        "import aiohttp",
        "from urllib.request import urlopen",
        "import urllib.request",
        "from mcp.client.sse import sse_client",
        "streamable_http_client(url)",
    ],
)
def test_every_way_to_make_an_http_client_is_seen(line: str) -> None:
    assert client_makers(ast.parse(line)) == [1]


def test_http_clients_are_made_in_one_place() -> None:
    """In it, bodies are bounded and nothing is unpacked; an import for types alone makes no client."""
    broken = []
    for file in FILES:
        if file != SOURCE / "catalog" / "http_clients.py":
            broken += [
                f"{file.relative_to(SOURCE)}:{line}" for line in client_makers(_without_types(parse(file)))
            ]
    assert not broken


# Programs of their own, which hold data for a demonstration and no state of ours.
OTHER_DATABASES = {"demo"}


def sqlite_imports(tree: ast.Module) -> list[int]:
    """Lines that import SQLite, or a part of it."""
    found = []
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                found += [node.lineno] * any(name.name.split(".")[0] in DATABASES for name in names)
            case ast.ImportFrom(module=str(module)):
                found += [node.lineno] * (module.split(".")[0] in DATABASES)
            case ast.Call(args=[ast.Constant(value=str(name)), *_]) if name.split(".")[0] in DATABASES:
                found.append(node.lineno)
    return found


DATABASES = {"sqlite3", "_sqlite3", "apsw", "pysqlite3"}


@pytest.mark.parametrize(
    "line", ["import sqlite3", "from sqlite3.dbapi2 import connect", "importlib.import_module('sqlite3')"]
)
def test_every_way_to_import_sqlite_is_seen(line: str) -> None:
    assert sqlite_imports(ast.parse(line)) == [1]


def test_state_is_reached_through_the_store_alone() -> None:
    """Everyone else speaks to the protocols, so that another engine can take SQLite's place."""
    apart = {"store", *OTHER_DATABASES}
    importing = {package_of(file) for file in FILES if sqlite_imports(parse(file))}
    assert importing == apart  # an exception that is no longer needed is removed


def _without_types(tree: ast.Module) -> ast.Module:
    """`if TYPE_CHECKING:` never runs."""
    kept = [
        node
        for node in tree.body
        if not (
            isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
        )
    ]
    return ast.Module(kept, tree.type_ignores)


def prints(tree: ast.Module) -> list[int]:
    """Lines that print, or take hold of stdout or stderr in any way."""
    streams = {"stdout", "stderr", "__stdout__", "__stderr__"}
    found = []
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id="print")):
                found.append(node.lineno)
            case ast.Attribute(value=ast.Name(id="sys"), attr=name) if name in streams:
                found.append(node.lineno)
            case ast.ImportFrom(module="sys", names=names) if streams & {alias.name for alias in names}:
                found.append(node.lineno)
    return found


@pytest.mark.parametrize(
    "line",
    ["print(1)", "sys.stdout.write('x')", "sys.stderr.buffer.write(b'x')", "from sys import stdout as out"],
)
def test_every_way_to_print_is_seen(line: str) -> None:
    assert prints(ast.parse(line)) == [1]


def test_nobody_prints_around_safetext() -> None:
    """Text leaves only through the command line, which cleans them (and the demo servers, which speak MCP)."""
    packages = ("cli", "demo")
    assert not [
        f"{file}:{line}" for file in FILES if package_of(file) not in packages for line in prints(parse(file))
    ]
