"""The demo server `history`: tools to look back over the commits of one repository."""

from datetime import datetime
from difflib import unified_diff
from itertools import takewhile
from typing import Any

from toolbooth.demo.history_data import Blob, Commit, Repository, grown
from toolbooth.demo.schemas import flag, gives, many, takes, text, whole
from toolbooth.demo.toolkit import ADD, READ, DemoServer, ToolError
from toolbooth.demo.world import dice, log_lines

server = DemoServer(
    name="history",
    title="Demo repository history",
    instructions=(
        "The version history of the ferrydesk repository. A ref is a branch, a tag, HEAD, HEAD~3, or the "
        "first "
        "four or more characters of a commit id. The default branch is main. Nothing here changes files."
    ),
    seed=grown,
)


REF = text("Branch, tag or commit", default="main")


@server.tool(
    "List commits that lead to a ref, newest first.",
    takes(
        ref=REF,
        path=text("Only commits that touch this file"),
        author=text("Only commits of this author; name or e-mail address"),
        since=text("Only commits at or after this time, ISO 8601"),
        until=text("Only commits before this time, ISO 8601"),
        limit=whole("Maximum number of commits", default=50, minimum=1),
    ),
    hints=READ,
)
def list_commits(repo: Repository, ref: str = "main", limit: int = 50, **filters: str) -> dict[str, Any]:
    """The schema has no maximum; all 376 at once are a large answer."""
    found = [commit for commit in repo.log(ref) if _fits(commit, filters)]
    return {"total": len(found), "commits": [commit.summary() for commit in found[:limit]]}


def _fits(commit: Commit, filters: dict[str, str]) -> bool:
    author = filters.get("author", "").lower()
    return (
        ("path" not in filters or filters["path"].lstrip("/") in commit.changes)
        and (author in commit.author.name.lower() or author in commit.author.email)
        and filters.get("since", "") <= commit.date
        and commit.date < filters.get("until", "~")
    )


@server.tool(
    "Search commit messages for words.",
    takes(
        "query",
        query=text("Words to look for; all must occur", minLength=1),
        limit=whole("Maximum number of commits", default=20, minimum=1, maximum=100),
    ),
    hints=READ,
)
def search_commits(repo: Repository, query: str, limit: int = 20) -> dict[str, Any]:
    """Over all branches, newest first."""
    words = query.lower().split()
    commits = sorted(repo.commits.values(), key=lambda commit: (commit.date, commit.sha), reverse=True)
    found = [commit.summary() for commit in commits if all(word in commit.message.lower() for word in words)]
    return {"total": len(found), "commits": found[:limit]}


@server.tool(
    "List branches with their latest commit.",
    outputs=gives(
        "branches",
        branches=many(gives("name", "sha", name=text(), sha=text(), date=text(), message=text())),
    ),
    hints=READ,
)
def list_branches(repo: Repository) -> dict[str, Any]:
    """Five rows."""
    return {"branches": [_pointer(name, repo.commits[sha]) for name, sha in repo.branches.items()]}


def _pointer(name: str, commit: Commit) -> dict[str, Any]:
    return {"name": name, "sha": commit.sha, "date": commit.date, "message": commit.message.split("\n")[0]}


@server.tool("List release tags, newest first.", hints=READ)
def list_tags(repo: Repository) -> dict[str, Any]:
    """Five rows."""
    return {"tags": [_pointer(name, repo.commits[sha]) for name, sha in reversed(repo.tags.items())]}


@server.tool(
    "Create a branch that points at a ref.",
    takes(
        "name", name=text("Name of the new branch", pattern=r"^[A-Za-z0-9][A-Za-z0-9._/-]{0,99}$"), ref=REF
    ),
    hints=ADD,
)
def create_branch(repo: Repository, name: str, ref: str = "main") -> str:
    """One line."""
    if name in repo.branches or name in repo.tags or name == "HEAD":
        raise ToolError(f"{name} exists already")
    repo.branches[name] = repo.resolve(ref).sha
    return f"Created branch {name} at {repo.branches[name][:10]}"


@server.tool(
    "Get the complete contents of a file as text, at a ref of the repository.",
    takes("path", path=text("Path of the file, for example src/ferrydesk/fares.py"), ref=REF),
    hints=READ,
)
def get_file_contents(repo: Repository, path: str, ref: str = "main") -> str:
    """The text at that commit."""
    return "\n".join(line.text for line in repo.blob(path, ref)) + "\n"


@server.tool(
    "Get the complete build log of a commit.",
    takes("ref", ref=text("Branch, tag or commit")),
)
def get_build_log(repo: Repository, ref: str) -> str:
    """Large on purpose, and without annotations; the last line says how the build ended."""
    commit = repo.resolve(ref)
    random = dice(f"build {commit.sha}")
    lines = log_lines(random, datetime.fromisoformat(commit.date), 420)
    failed = random.random() < 0.2
    result = (
        f"FAILED tests: {random.randrange(1, 9)}" if failed else f"PASSED in {random.randrange(60, 300)} s"
    )
    return "\n".join([f"build of {commit.sha}", *lines, result])


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
    """Large between releases."""
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
