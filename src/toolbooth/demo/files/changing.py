"""New texts, edits, moves and removals → a changed file tree and one line that says so."""

from difflib import unified_diff

from toolbooth.demo.files.server import server
from toolbooth.demo.files.tree import Tree, normal
from toolbooth.demo.schemas import flag, many, takes, text
from toolbooth.demo.toolkit import DELETE, REPLACE, SET, ToolError


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
