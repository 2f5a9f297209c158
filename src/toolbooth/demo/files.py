"""The demo server `files`: tools to read and change a project's file tree in memory."""

from difflib import unified_diff
from fnmatch import fnmatch
from typing import Any

from toolbooth.demo.files_data import Tree, normal
from toolbooth.demo.schemas import Json, choice, flag, gives, like_zod, many, takes, text, whole
from toolbooth.demo.toolkit import DELETE, READ, REPLACE, SET, DemoServer, ToolError

server = DemoServer(
    name="files",
    title="Demo file system",
    instructions=(
        "A working copy of the ferrydesk project. All paths are absolute and start with a slash. "
        "Use search_files for names and search_file_contents for text inside files. Logs under /logs are "
        "long: read them with head or tail."
    ),
    seed=Tree.seeded,
    dialect=like_zod,
)


@server.tool(
    "Create a new file or completely overwrite an existing file with new content. Use with caution: an "
    "existing file is replaced without warning.",
    takes("path", "content", path=text("Absolute path of the file"), content=text("The whole new text")),
    hints=SET | {"destructiveHint": True},
    title="Write File",
)
def write_file(tree: Tree, path: str, content: str) -> str:
    """Directories on the way need not exist."""
    return f"Successfully wrote {len(content.encode())} bytes to {tree.put(path, content)}"


@server.tool(
    "Make selective edits to a text file by replacing exact pieces of text. Each edit replaces the first "
    "occurrence of oldText with newText, and edits are applied in the order in which they are given, so a "
    "later edit sees the result of an earlier one. Features: several edits in one call; whitespace is "
    "significant and is never normalized; line endings are kept as they are; a unified diff of the whole "
    "change is returned, so that the caller can check what has happened without reading the file again; "
    "preview mode with dryRun. Best practice: always call this tool with dryRun set to true first, read "
    "the diff, and only then repeat the call with dryRun set to false. Keep oldText as short as possible "
    "but long enough to be found only once; if oldText is not found, nothing at all is written and the "
    "call fails, even when other edits of the same call would have matched. Do not use this tool to create "
    "files, to append to logs, or to rewrite more than about half of a file: write_file is faster and "
    "safer for that. Do not use it on minified files, because the diff then contains the whole file twice. "
    "Works only inside the project. Example: to change the port in the read me, give path /README.md and "
    "one edit with oldText 'port 8417' and newText 'port 9000'.",
    takes(
        "path",
        "edits",
        path=text("Absolute path of the file to edit"),
        edits=many(
            takes(
                "oldText",
                "newText",
                oldText=text("Text to search for - must match exactly"),
                newText=text("Text to replace it with"),
            )
            | {"additionalProperties": False},
            minItems=1,
        ),
        dryRun=flag("Preview changes using git-style diff format", default=False),
    ),
    hints=REPLACE,
    title="Edit File",
)
def edit_file(tree: Tree, path: str, edits: list[dict[str, str]], dryRun: bool = False) -> str:
    """All edits or none."""
    before = after = tree.file(path).text
    for edit in edits:
        if edit["oldText"] not in after:
            raise ToolError(
                f"oldText not found in {normal(path)}: {edit['oldText'][:80]!r}. Nothing was written."
            )
        after = after.replace(edit["oldText"], edit["newText"], 1)
    if not dryRun:
        tree.put(path, after)
    name = normal(path)
    return "\n".join(
        unified_diff(before.splitlines(), after.splitlines(), f"a{name}", f"b{name}", lineterm="")
    )


@server.tool(
    "Move or rename a file. Fails if the destination already exists.",
    takes("source", "destination", source=text(), destination=text()),
    hints=REPLACE,
    title="Move File",
)
def move_file(tree: Tree, source: str, destination: str) -> str:
    """The text stays the same."""
    file = tree.file(source)
    if normal(destination) in tree.files:
        raise ToolError(f"{normal(destination)} already exists")
    target = tree.put(destination, file.text)
    del tree.files[normal(source)]
    return f"Moved {normal(source)} to {target}"


@server.tool(
    "Delete a file permanently.",
    takes("path", path=text("Absolute path of the file")),
    hints=DELETE,
)
def delete_file(tree: Tree, path: str) -> str:
    """One file; directories vanish with their last file."""
    tree.file(path)
    del tree.files[normal(path)]
    return f"Deleted {normal(path)}"


_PATH = text("Absolute path, for example /docs/contacts.md")
_EXCLUDE = many(text(), "Glob patterns of paths to leave out", default=[])


@server.tool(
    "List what lies directly in a directory. Directories are marked [DIR], files [FILE].",
    takes("path", path=text("Absolute path of the directory")),
    hints=READ,
    title="List Directory",
)
def list_directory(tree: Tree, path: str) -> str:
    """Names only, one line each."""
    root = normal(path)
    depth = 0 if root == "/" else root.count("/")
    names = {tuple(name.split("/")[depth + 1 : depth + 3]) for name, _ in tree.below(root)}
    entries = {(len(parts) == 1, parts[0]) for parts in names}
    return "\n".join(f"[{'FILE' if is_file else 'DIR'}] {name}" for is_file, name in sorted(entries))


@server.tool(
    "Get a recursive tree view of files and directories as a JSON structure. Each entry has 'name', 'type' "
    "(file or directory), 'size' and 'modified' for files, and 'children' for directories. Files have no "
    "children array, while directories always have one, which may be empty. The output carries no "
    "indentation. Start at a subdirectory to keep the answer small.",
    takes(path=text("Where to start", default="/"), excludePatterns=_EXCLUDE),
    hints=READ,
    title="Directory Tree",
    minified=True,
)
def directory_tree(tree: Tree, path: str = "/", excludePatterns: tuple[str, ...] = ()) -> Json:
    """Nested objects, as deep as the tree."""
    root: Json = {"name": normal(path), "type": "directory", "children": {}}
    skip = len(normal(path).rstrip("/")) + 1
    for name, file in tree.below(path):
        if not any(fnmatch(name, pattern) for pattern in excludePatterns):
            _hang(root, name[skip:].split("/"), {"size": file.size, "modified": file.modified})
    return _listed(root)


def _hang(node: Json, parts: list[str], leaf: Json) -> None:
    for part in parts[:-1]:
        node = node["children"].setdefault(part, {"name": part, "type": "directory", "children": {}})
    node["children"][parts[-1]] = {"name": parts[-1], "type": "file"} | leaf


def _listed(node: Json) -> Json:
    if "children" not in node:
        return node
    return node | {"children": [_listed(child) for child in node["children"].values()]}


@server.tool(
    "Read the complete contents of a file as text. Use head or tail to read only its first or last lines.",
    takes(
        "path",
        path=_PATH,
        head=whole("Return only the first N lines", minimum=1),
        tail=whole("Return only the last N lines", minimum=1),
    ),
    hints=READ,
    title="Read File",
)
def read_file(tree: Tree, path: str, head: int | None = None, tail: int | None = None) -> str:
    """The whole text unless lines are counted."""
    if head and tail:
        raise ToolError("Give head or tail, not both")
    contents = tree.file(path).text
    lines = contents.splitlines()
    if head:
        return "\n".join(lines[:head])
    return "\n".join(lines[-tail:]) if tail else contents


@server.tool(
    "Read several files at once. This is more efficient than reading them one by one when you need to "
    "analyze or compare them. A file that cannot be read does not stop the others.",
    takes("paths", paths=many(text(), "Absolute paths of the files to read", minItems=1)),
    hints=READ,
    title="Read Multiple Files",
)
def read_multiple_files(tree: Tree, paths: list[str]) -> str:
    """Each text under its path."""
    return "\n---\n".join(f"{path}:\n{_text_or_reason(tree, path)}" for path in paths)


def _text_or_reason(tree: Tree, path: str) -> str:
    try:
        return tree.file(path).text
    except ToolError as error:
        return f"Error - {error}"


@server.tool(
    "Search for files whose name matches a glob pattern, in a directory and everything below it.",
    takes(
        "path",
        "pattern",
        path=text("Where to start"),
        pattern=text("For example *.md"),
        excludePatterns=_EXCLUDE,
    ),
    hints=READ,
    title="Search Files",
)
def search_files(tree: Tree, path: str, pattern: str, excludePatterns: tuple[str, ...] = ()) -> str:
    """Full paths, one line each."""
    found = [name for name, _ in tree.below(path) if fnmatch(name.rsplit("/", 1)[-1], pattern)]
    kept = [name for name in found if not any(fnmatch(name, unwanted) for unwanted in excludePatterns)]
    return "\n".join(kept) or "No matches found"


@server.tool(
    "Search for text inside files. Returns every matching line with its path and line number.",
    takes(
        "query",
        query=text("Text to look for", minLength=1),
        path=text("Where to start", default="/"),
        caseSensitive=flag(default=False),
        outputMode=choice("What to return", "lines", "files", "count", default="lines"),
    ),
    hints=READ,
)
def search_file_contents(
    tree: Tree, query: str, path: str = "/", caseSensitive: bool = False, outputMode: str = "lines"
) -> str:
    """No limit on the number of lines, as in many a public server."""
    wanted = query if caseSensitive else query.lower()
    hits: dict[str, list[str]] = {}
    for name, file in tree.below(path):
        for number, line in enumerate(file.text.splitlines(), 1):
            if wanted in (line if caseSensitive else line.lower()):
                hits.setdefault(name, []).append(f"{name}:{number}: {line}")
    render = {
        "lines": lambda: "\n".join(line for lines in hits.values() for line in lines),
        "files": lambda: "\n".join(hits),
        "count": lambda: "\n".join(f"{name}: {len(lines)}" for name, lines in hits.items()),
    }
    return render[outputMode]() or "No matches found"


@server.tool(
    "Get metadata of one file: size in bytes, number of lines, last modification.",
    takes("path", path=_PATH),
    outputs=gives(
        "path",
        "size",
        "lines",
        "modified",
        path=text(),
        size=whole(),
        lines=whole(),
        modified=text(format="date-time"),
    ),
    hints=READ,
    title="Get File Info",
)
def get_file_info(tree: Tree, path: str) -> dict[str, Any]:
    """Small, with structured content."""
    file = tree.file(path)
    lines = len(file.text.splitlines())
    return {"path": normal(path), "size": file.size, "lines": lines, "modified": file.modified}
