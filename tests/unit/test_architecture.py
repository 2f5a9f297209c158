"""The house rules as tests: the law of imports, one door a room, sizes, docstrings."""

import ast
import importlib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

SOURCE = Path(__file__).parents[2] / "src" / "toolbooth"
FILES = sorted(SOURCE.rglob("*.py"))

# From top to bottom: a room may open only the doors of rooms above it.
ROOMS = (
    "schema",
    "catalog",
    "tokens",
    "search",
    "economics",
    "contracts",
    "sandbox",
    "gateway",
    "bench",
    "suite",
    "web",
    "demo",
    "cli",
)
FOUNDATION = {"errors", "limits", "safetext", "files", "figures", "suggest", "registry"}
# A door beside the room's own: its imports are heavy (the protocol SDK) or only some callers need it.
SIDE_DOORS = {
    "toolbooth.bench.builtin",
    "toolbooth.bench.growth",
    "toolbooth.bench.latency",
    "toolbooth.bench.live",
    "toolbooth.bench.tokens",
    "toolbooth.bench.record",
    "toolbooth.bench.report",
    "toolbooth.bench.retrieval",
    "toolbooth.catalog.config",
    "toolbooth.catalog.config.key_table",
    "toolbooth.catalog.connect",
    "toolbooth.catalog.connect.oauth",
    "toolbooth.catalog.http_client",
    "toolbooth.catalog.load",
    "toolbooth.contracts.diff",
    "toolbooth.contracts.gather",
    "toolbooth.contracts.lint",
    "toolbooth.contracts.reporting",
    "toolbooth.contracts.scan",
    "toolbooth.contracts.signing",
    "toolbooth.contracts.toolbooth_lock",
    "toolbooth.gateway.daemon.bridge",
    "toolbooth.gateway.daemon.client",
    "toolbooth.gateway.daemon.service",
    "toolbooth.gateway.transports.http",
    "toolbooth.gateway.transports.stdio",
    "toolbooth.gateway.runtime",
    "toolbooth.gateway.ledger.distributions",
    "toolbooth.gateway.ledger.storage",
    "toolbooth.gateway.process",
    "toolbooth.gateway.offline",
    "toolbooth.gateway.in_process_client",
    "toolbooth.gateway.calls.call_targets",
    "toolbooth.sandbox.scripts",
    "toolbooth.search.analysis",
    "toolbooth.suite.authoring",
    "toolbooth.suite.reporters",
    "toolbooth.suite.runner",
    "toolbooth.suite.score",
}
# Its `__init__` runs in the bridge, which pays for every import at each start of a client: only side doors lead in.
SILENT_DOORS = {"toolbooth.gateway"}
MAX_FILE, MAX_FUNCTION = 400, 50


class Import(NamedTuple):
    file: Path
    line: int
    module: str
    names: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.file.relative_to(SOURCE)}:{self.line} imports {self.module} {self.names}"


def parse(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def room_of(path: Path) -> str:
    parts = path.relative_to(SOURCE).parts
    return parts[0] if len(parts) > 1 else ""


def own_imports(path: Path) -> Iterator[Import]:
    for node in ast.walk(parse(path)):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "toolbooth":
            yield Import(path, node.lineno, str(node.module), tuple(alias.name for alias in node.names))
        elif isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.split(".")[0] == "toolbooth":
                    yield Import(path, node.lineno, alias.name, ())
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: relative imports hide the way through the house"


def target_room(module: str) -> str:
    parts = module.split(".")
    return parts[1] if len(parts) > 1 else ""


def test_every_room_is_known_and_none_is_empty() -> None:
    found = {path.name for path in SOURCE.iterdir() if path.is_dir() and path.name != "__pycache__"}
    assert found <= set(ROOMS)
    assert all(any((SOURCE / room).glob("*.py")) for room in found)


def test_a_room_imports_only_rooms_above_it() -> None:
    broken = []
    for file in FILES:
        room = room_of(file)
        for each in own_imports(file):
            target = target_room(each.module)
            if target in FOUNDATION or target == room or not target or file == SOURCE / "__main__.py":
                continue
            if not room or ROOMS.index(target) >= ROOMS.index(room):
                broken.append(str(each))
    assert not broken


def test_other_rooms_are_entered_through_their_door() -> None:
    broken = []
    for file in FILES:
        for each in own_imports(file):
            target = target_room(each.module)
            if target in FOUNDATION or target in ("", room_of(file)) or file == SOURCE / "__main__.py":
                continue
            door = f"toolbooth.{target}"
            if each.module != door and each.module not in SIDE_DOORS:
                broken.append(str(each))
            elif not set(each.names) <= set(importlib.import_module(each.module).__all__):
                broken.append(f"{each}: not in __all__")
    assert not broken


@pytest.mark.parametrize(
    "door", [f for f in FILES if f.name == "__init__.py" and room_of(f) not in ("", "cli")], ids=str
)
def test_a_door_only_re_exports_and_its_list_is_true(door: Path) -> None:
    module = "toolbooth." + ".".join(door.parent.relative_to(SOURCE).parts)
    listed = getattr(importlib.import_module(module), "__all__", [])
    assert len(set(listed)) == len(listed)
    assert all(hasattr(importlib.import_module(module), name) for name in listed)
    if (module.count(".") == 1 or module in SIDE_DOORS) and module not in SILENT_DOORS:
        assert listed


def test_files_and_functions_keep_their_size() -> None:
    broken = []
    for file in FILES:
        tree = parse(file)
        name = str(file.relative_to(SOURCE))
        lines = len(file.read_text(encoding="utf-8").splitlines())
        if lines > MAX_FILE:
            broken.append(f"{name}: {lines} lines")
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                length = (node.end_lineno or 0) - node.lineno + 1
                if length > MAX_FUNCTION:
                    broken.append(f"{name}:{node.lineno} {node.name}: {length} lines")
    assert not broken


def test_every_module_says_in_one_sentence_what_it_does() -> None:
    silent = [str(file) for file in FILES if not (ast.get_docstring(parse(file)) or "").strip()]
    assert not silent


# Each makes a client, or sends without one; in `http_client.py` alone is it bounded.
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
    """There bodies are bounded and nothing is unpacked; an import for types alone makes no client."""
    broken = []
    for file in FILES:
        if file != SOURCE / "catalog" / "http_client.py":
            broken += [
                f"{file.relative_to(SOURCE)}:{line}" for line in client_makers(_without_types(parse(file)))
            ]
    assert not broken


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
    """Words leave only through the command line, which cleans them (and the demo servers, which speak MCP)."""
    rooms = ("cli", "demo")
    assert not [
        f"{file}:{line}" for file in FILES if room_of(file) not in rooms for line in prints(parse(file))
    ]
