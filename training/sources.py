"""The tools in a folder of data that may be learned from, and the question sets that may not."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final, NamedTuple

from toolbooth.bench.golden import load_golden
from toolbooth.bench.json_file import read_json
from toolbooth.catalog import Catalog, ServerTools, Tool, read_catalog

ROOT: Final = Path(__file__).resolve().parent.parent
BUILT_IN: Final = ROOT / "src" / "toolbooth" / "bench" / "builtin"
_NUMBERED: Final = re.compile(r"^(?:[a-z]{2}_)?\d{4}_")
_OWNER: Final = re.compile(r"^@[^_/]+[_/]")
# What a directory of servers prints for a tool without its own description.
_NO_DESCRIPTION: Final = re.compile(r"Try in Playground|^Description not available|^No description", re.I)
_SENTENCES: Final = 1_500  # characters of a server's description that are read


class Source(NamedTuple):
    """A tool to learn from, with its server's description; `key` is its id in the data."""

    key: str
    tool: Tool
    about: str


class Exam(NamedTuple):
    """A question set, from which nothing may be learned."""

    name: str
    tools: tuple[Tool, ...]
    queries: tuple[str, ...]


def training_sources(data: Path) -> list[Source]:
    """Every tool of the scale corpus and of the public catalogs, cleaned but not yet filtered."""
    files = [data / "scale" / "toucan.tools.json", *sorted((data / "catalogs").glob("*.json"))]
    return [source for path in files for server in read_tools(path).servers for source in _of(server)]


def made_sources(path: Path) -> list[Source]:
    """Made-up tools with requests, for fields of life that public servers do not cover."""
    rows = [
        line.split("\t")[:3] for line in path.read_text("utf-8").splitlines() if line and line[:2] != "# "
    ]
    tools = [
        {"tool_id": f"{server}:{name}", "server": server, "tool": name, "description": said}
        for server, name, said in rows
    ]
    catalog = read_catalog({"version": "made", "tools": tools}, path)
    return [Source(tool.id, tool, "") for tool in catalog]


def exams(data: Path) -> list[Exam]:
    """Every set for which figures are published, including the built-in one."""
    folders = sorted(each for each in (data / "retrieval").iterdir() if each.is_dir())
    return [_exam(folder) for folder in [*folders, BUILT_IN]]


def read_tools(path: Path) -> Catalog:
    """A corpus or any saved catalog."""
    return read_catalog(read_json(path), path)


def _of(server: ServerTools) -> Iterator[Source]:
    about = " ".join(part for part in (server.title, server.description, server.instructions) if part)
    short = _OWNER.sub("", _NUMBERED.sub("", server.server)) or server.server
    for tool in server.tools:
        said = "" if _NO_DESCRIPTION.search(tool.description) else tool.description
        yield Source(tool.id, replace(tool, server=short, description=said), about[:_SENTENCES])


def _exam(folder: Path) -> Exam:
    corpora = sorted(folder.glob("corpus*.json"))
    golden = sorted(each for each in folder.glob("*golden*.json"))
    tools = tuple(tool for path in corpora for tool in read_tools(path))
    queries = tuple(one.query for path in golden for one in load_golden(path).questions)
    return Exam(folder.name, tools, queries)
