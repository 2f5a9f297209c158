"""A loop over ids: tickets that commits name, looked up one by one."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from ..agent import Agent, by_code, data, direct, find, read, through
from ..direct_servers import DirectServers
from ..task import Task

QUESTION = (
    "Which tickets that commits on main since the release v4.7.2 (it included) name are still not closed? "
    "Keys by number."
)
KEY = re.compile(r"LF-\d+")
SEARCHES = (
    find("list release tags", 1),
    find("list commits since", 1),
    find("list tickets, get one ticket", 2),
)
LOOKS = ("await asyncio.gather(history.list_tags(), history.list_commits(limit=3))",)
CODE = """
since = [t["date"] for t in (await history.list_tags())["tags"] if t["name"] == "v4.7.2"][0]
commits = (await history.list_commits(since=since, limit=500))["commits"]
keys = {m.split("(LF-")[1].split(")")[0] for m in [c["message"] for c in commits] if "(LF-" in m}
found = await asyncio.gather(*[tickets.get_ticket(key="LF-" + k) for k in sorted(keys, key=int)])
[t["key"] for t in found if t["status"] != "closed"]
"""


def truth(servers: DirectServers) -> str:
    """By the commits one after the other, and by all tickets that are closed."""
    closed = [
        each["key"]
        for page in range(1, 5)
        for each in servers.ask("tickets.list_tickets", status="closed", per_page=100, page=page)["tickets"]
    ]
    until = servers.ask("history.get_commit", sha="v4.7.2", include_diff=False)["sha"]
    named: set[str] = set()
    for back in range(400):
        commit = servers.ask("history.get_commit", sha=f"main~{back}", include_diff=False)
        named |= set(KEY.findall(commit["message"]))
        if commit["sha"] == until:
            break
    return _said(named - set(closed))


def _said(keys: Iterable[str]) -> str:
    return ", ".join(sorted(keys, key=_number))


def _number(key: str) -> int:
    return int(key.removeprefix("LF-"))


def _since(tags: str) -> str:
    return next(str(tag["date"]) for tag in data(tags)["tags"] if tag["name"] == "v4.7.2")


def _named(commits: str) -> list[str]:
    messages = " ".join(commit["message"] for commit in data(commits)["commits"])
    return sorted(set(KEY.findall(messages)), key=_number)


def _still(answers: Iterable[str]) -> str:
    found: list[Mapping[str, Any]] = [data(answer) for answer in answers]
    return _said(each["key"] for each in found if each["status"] != "closed")


def baseline() -> Agent:
    [tags] = yield [direct("history.list_tags")]
    [commits] = yield [direct("history.list_commits", since=_since(tags), limit=500)]
    answers = yield [direct("tickets.get_ticket", key=key) for key in _named(commits)]
    return _still(answers)


def search_known() -> Agent:
    yield SEARCHES
    [tags] = yield [through("history.list_tags", fields="tags[].name,tags[].date")]
    wanted = {"since": _since(tags), "limit": 500}
    [commits] = yield [through("history.list_commits", wanted, fields="commits[].message")]
    answers = yield [
        through("tickets.get_ticket", {"key": key}, fields="key,status") for key in _named(commits)
    ]
    return _still(answers)


def search() -> Agent:
    yield SEARCHES
    [tags] = yield [through("history.list_tags")]
    [cut] = yield [through("history.list_commits", {"since": _since(tags), "limit": 500})]
    [commits] = yield [read(cut, path="{commits: commits[].{message: message}}")]
    answers = yield [
        through("tickets.get_ticket", {"key": key}, fields="key,status") for key in _named(commits)
    ]
    return _still(answers)


TASK = Task(
    "named in commits",
    QUESTION,
    truth,
    {
        "baseline": baseline,
        "search": search,
        "search, known": search_known,
        **by_code(SEARCHES, LOOKS, CODE, lambda answer: _said(data(answer))),
    },
)
