"""Two refs, or a file → what changed between them, and who wrote each line."""

from difflib import unified_diff
from itertools import takewhile
from typing import Any

from toolbooth.demo.history.browsing import REF
from toolbooth.demo.history.repository import Blob, Repository
from toolbooth.demo.history.server import server
from toolbooth.demo.schemas import flag, gives, many, takes, text, whole
from toolbooth.demo.toolkit import READ, ToolError


def _diff(old: dict[str, Blob], new: dict[str, Blob], context: int) -> str:
    parts: list[str] = []
    for path in sorted(old.keys() | new.keys()):
        before, after = ([line.text for line in tree.get(path, ())] for tree in (old, new))
        if before != after:
            parts.append(f"diff --git a/{path} b/{path}")
            parts.extend(unified_diff(before, after, f"a/{path}", f"b/{path}", lineterm="", n=context))
    return "\n".join(parts)


@server.tool(
    "Get one commit with its message, its files and the diff against its parent.",
    takes(
        "sha",
        sha=text("Commit id or any other ref"),
        include_diff=flag("Whether to return the diff as well", default=True),
    ),
    hints=READ,
)
def get_commit(repo: Repository, sha: str, include_diff: bool = True) -> dict[str, Any]:
    """The very first commit has the whole project as its diff."""
    commit = repo.resolve(sha)
    whole_message = commit.summary() | {"message": commit.message, "parent": commit.parent}
    if not include_diff:
        return whole_message
    before = repo.tree(commit.parent) if commit.parent else {}
    old = {path: before[path] for path in commit.changes if path in before}
    return whole_message | {"diff": _diff(old, commit.changes, 3)}


@server.tool(
    "Get the unified diff between two refs of the repository. The first ref is the base and the second is "
    "the head, so lines that start with a plus sign exist only in the head and lines that start with a "
    "minus sign exist only in the base. Both refs may be branches, tags, HEAD, an older commit written "
    "like HEAD~5, or the first four or more characters of a commit id. The diff contains all files that "
    "differ, one after the other in the order of their paths, each with a header line, and as many "
    "unchanged lines around each change as context_lines says. The comparison is direct, between the two "
    "states of the files, not from the point where the two branches parted; if you want to know what has "
    "happened on a branch since it was created, ask compare_branches for the merge base first and use that "
    "as the base here. Two releases can be hundreds of commits apart, and their diff can then be longer "
    "than you are able to read: give a path to see a single file, or use compare_branches, which only "
    "counts and names what differs. To see what one single commit has changed, use get_commit instead of "
    "this tool. An empty answer means that nothing differs. Binary files do not exist in this repository.",
    takes(
        "base",
        "head",
        base=text("The older ref"),
        head=text("The newer ref"),
        path=text("Only this file"),
        context_lines=whole("Unchanged lines around each change", default=3, minimum=0),
    ),
    hints=READ,
)
def get_diff(repo: Repository, base: str, head: str, path: str | None = None, context_lines: int = 3) -> str:
    """Fat between releases."""
    old, new = repo.tree(base), repo.tree(head)
    if path is not None:
        name = path.lstrip("/")
        if name not in old and name not in new:
            raise ToolError(f"There is no {path} at {base} or {head}. Files: {', '.join(new)}")
        old, new = ({name: tree[name]} if name in tree else {} for tree in (old, new))
    return _diff(old, new, context_lines)


@server.tool(
    "Compare two branches: merge base, commits ahead and behind, files that differ.",
    takes("base", "head", base=text("Branch to compare with"), head=text("Branch to compare")),
    outputs=gives(
        "merge_base",
        "ahead",
        "behind",
        "files",
        merge_base=text(),
        ahead=whole("Commits only in head"),
        behind=whole("Commits only in base"),
        files=many(text()),
    ),
    hints=READ,
)
def compare_branches(repo: Repository, base: str, head: str) -> dict[str, Any]:
    """Counts and names, no text."""
    ours, theirs = ([commit.sha for commit in repo.log(ref)] for ref in (base, head))
    in_ours, in_theirs = set(ours), set(theirs)
    ahead = list(takewhile(lambda sha: sha not in in_ours, theirs))
    behind = list(takewhile(lambda sha: sha not in in_theirs, ours))
    old, new = repo.tree(base), repo.tree(head)
    files = [path for path in new if old.get(path) != new[path]]
    return {"merge_base": theirs[len(ahead)], "ahead": len(ahead), "behind": len(behind), "files": files}


@server.tool(
    "Show for each line of a file which commit and author wrote it and when.",
    takes(
        "path",
        path=text("Path of the file"),
        ref=REF,
        start_line=whole("First line", default=1, minimum=1),
        end_line=whole("Last line; the end of the file, if left out", minimum=1),
    ),
    hints=READ,
)
def blame_file(
    repo: Repository, path: str, ref: str = "main", start_line: int = 1, end_line: int | None = None
) -> str:
    """One line for each line."""
    rows = []
    for number, line in list(enumerate(repo.blob(path, ref), 1))[start_line - 1 : end_line]:
        commit = repo.commits[line.commit]
        rows.append(f"{line.commit[:8]} ({commit.author.name:14} {commit.date[:10]} {number:4}) {line.text}")
    return "\n".join(rows)
