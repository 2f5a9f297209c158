"""Large answers of which one line is needed: how the builds of all releases ended."""

from collections.abc import Iterable, Sequence

from ..agent import Agent, by_code, data, direct, find, lines, through
from ..direct_servers import DirectServers
from ..task import Task

QUESTION = (
    "How did the build of each release end? As `tag: last words of its build log`, newest release first."
)
SEARCHES = (find("build log of a release tag", 3),)
LOOKS = ("await history.list_tags()",)
INTENT = "how the build ended: PASSED or FAILED"
CODE = """
tags = [t["name"] for t in (await history.list_tags())["tags"]]
logs = await asyncio.gather(*[history.get_build_log(ref=t) for t in tags])
{t: log.strip().split("\\n")[-1] for t, log in zip(tags, logs)}
"""


def truth(servers: DirectServers) -> str:
    tags = servers.ask("history.list_tags")["tags"]
    ends = [servers.peek("history.get_build_log", {"ref": tag["sha"]}).splitlines()[-1] for tag in tags]
    return _said(zip((tag["name"] for tag in tags), ends, strict=True))


def _said(ends: Iterable[tuple[str, str]]) -> str:
    return "; ".join(f"{tag}: {end}" for tag, end in ends)


def _read(tags: Sequence[str], logs: Iterable[str]) -> str:
    """The last line that belongs to the log and not to the gateway."""
    ends = [[line for line in lines(log) if line.startswith(("PASSED", "FAILED"))] for log in logs]
    return _said((tag, end[-1] if end else "not seen") for tag, end in zip(tags, ends, strict=True))


def _tags(answer: str) -> list[str]:
    return [tag["name"] for tag in data(answer)["tags"]]


def baseline() -> Agent:
    [listed] = yield [direct("history.list_tags")]
    tags = _tags(listed)
    logs = yield [direct("history.get_build_log", ref=tag) for tag in tags]
    return _read(tags, logs)


def search_known() -> Agent:
    yield SEARCHES
    [listed] = yield [through("history.list_tags", fields="tags[].name")]
    tags = _tags(listed)
    logs = yield [through("history.get_build_log", {"ref": tag}, intent=INTENT) for tag in tags]
    return _read(tags, logs)


def search() -> Agent:
    yield SEARCHES
    [cut] = yield [through("history.list_tags")]
    tags = _tags(cut)
    logs = yield [through("history.get_build_log", {"ref": tag}, intent=INTENT) for tag in tags]
    return _read(tags, logs)


TASK = Task(
    "build results",
    QUESTION,
    truth,
    {
        "baseline": baseline,
        "search": search,
        "search, known": search_known,
        **by_code(SEARCHES, LOOKS, CODE, lambda answer: _said(data(answer).items())),
    },
)
