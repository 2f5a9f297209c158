"""An aggregate that the server itself can compute: SQL does it in one call, once the tables are known."""

from collections import Counter
from typing import Any

from ..agent import Agent, by_code, data, direct, find, through
from ..direct_servers import DirectServers
from ..task import Task

QUESTION = (
    "Which ferry earned the most with sailings that took place (status sailed) in February 2026, and how many "
    "cents?"
)
TABLES = ("bookings", "sailings", "ferries")
SQL = (
    "SELECT f.name, sum(b.amount_cents) AS cents FROM bookings b JOIN sailings s ON s.id = b.sailing_id "
    "JOIN ferries f ON f.id = s.ferry_id WHERE s.status = 'sailed' AND s.departs LIKE '2026-02%' "
    "GROUP BY f.id ORDER BY cents DESC LIMIT 1"
)
SEARCHES = (find("run SQL query", 1), find("describe a database table", 2))
LOOKS = (
    "await database.list_tables()",
    'await asyncio.gather(*[database.describe_table(table=t) for t in ("bookings", "sailings", "ferries")])',
)
CODE = f'await database.run_query(sql="{SQL}")'


def truth(servers: DirectServers) -> str:
    """Without a join: it reads three whole tables."""

    def rows(table: str) -> list[dict[str, Any]]:
        sql = f"SELECT * FROM {table}"  # noqa: S608  # our own words
        found: list[dict[str, Any]] = servers.ask("database.run_query", sql=sql)["rows"]
        return found

    sailed = {
        each["id"]: each["ferry_id"]
        for each in rows("sailings")
        if each["status"] == "sailed" and each["departs"].startswith("2026-02")
    }
    names = {each["id"]: each["name"] for each in rows("ferries")}
    cents = Counter[str]()
    for each in rows("bookings"):
        if each["sailing_id"] in sailed:
            cents[names[sailed[each["sailing_id"]]]] += each["amount_cents"]
    [(name, most)] = cents.most_common(1)
    return f"{name} {most}"


def _said(answer: str) -> str:
    [row] = data(answer)["rows"]
    return f"{row['name']} {row['cents']}"


def baseline() -> Agent:
    yield [direct("database.list_tables")]
    yield [direct("database.describe_table", table=table) for table in TABLES]
    [answer] = yield [direct("database.run_query", sql=SQL)]
    return _said(answer)


def search_known() -> Agent:
    yield SEARCHES
    [answer] = yield [through("database.run_query", {"sql": SQL})]
    return _said(answer)


def search() -> Agent:
    yield SEARCHES
    yield [through("database.list_tables")]
    yield [through("database.describe_table", {"table": table}) for table in TABLES]
    [answer] = yield [through("database.run_query", {"sql": SQL})]
    return _said(answer)


TASK = Task(
    "ferry revenue",
    QUESTION,
    truth,
    {
        "baseline": baseline,
        "search": search,
        "search, known": search_known,
        **by_code(SEARCHES, LOOKS, CODE, _said),
    },
)
