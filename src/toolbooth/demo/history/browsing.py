"""Refs, paths and words → commits, branches, tags, file contents and build logs."""

from datetime import datetime
from typing import Any

from toolbooth.demo.history.repository import Commit, Repository
from toolbooth.demo.history.server import server
from toolbooth.demo.prose import log_lines
from toolbooth.demo.schemas import gives, many, takes, text, whole
from toolbooth.demo.toolkit import ADD, READ, ToolError
from toolbooth.demo.world import dice

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
    """No maximum in the schema; all 376 at once are fat."""
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
    """The text as it stood then."""
    return "\n".join(line.text for line in repo.blob(path, ref)) + "\n"


@server.tool(
    "Get the complete build log of a commit.",
    takes("ref", ref=text("Branch, tag or commit")),
)
def get_build_log(repo: Repository, ref: str) -> str:
    """Fat on purpose, and without annotations; the last line says how it ended."""
    commit = repo.resolve(ref)
    random = dice(f"build {commit.sha}")
    lines = log_lines(random, datetime.fromisoformat(commit.date), 420)
    failed = random.random() < 0.2
    result = (
        f"FAILED tests: {random.randrange(1, 9)}" if failed else f"PASSED in {random.randrange(60, 300)} s"
    )
    return "\n".join([f"build of {commit.sha}", *lines, result])
