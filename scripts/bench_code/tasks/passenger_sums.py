"""Sums over a long CSV file of 720 lines, which suits a program better than a model."""

import csv
from collections import Counter
from collections.abc import Iterable

from ..agent import Agent, Call, by_code, data, direct, find, lines, read, through
from ..direct_servers import DirectServers
from ..task import Task

QUESTION = (
    "In /data/passengers.csv, one line a day and harbour: which harbour had the most passengers in the last 30 "
    "days of the file, and how many?"
)
PATH = "/data/passengers.csv"
HARBOURS, DAYS = 8, 30
CODES = ("SKE", "MOS", "TRN", "GRA", "LOW", "KEL", "OST", "BEL")
SEARCHES = (find("read a text file", 1),)
LOOKS = ('await files.read_file(path="/data/passengers.csv", head=3)',)
CODE = """
rows = (await files.read_file(path="/data/passengers.csv")).strip().split("\\n")
head = rows[0].split(",")
rows = [dict(zip(head, r.split(","))) for r in rows[1:]]
days = sorted({r["day"] for r in rows})[-30:]
sums = {}
for r in rows:
    if r["day"] in days:
        sums[r["harbour"]] = sums.get(r["harbour"], 0) + int(r["passengers"])
max((n, h) for h, n in sums.items())
"""


def truth(servers: DirectServers) -> str:
    rows = list(csv.DictReader(servers.peek("files.read_file", {"path": PATH}).splitlines()))
    last = sorted({row["day"] for row in rows})[-DAYS:]
    return _most((row["harbour"], int(row["passengers"])) for row in rows if row["day"] in last)


def _most(pairs: Iterable[tuple[str, int]]) -> str:
    sums = Counter[str]()
    for harbour, passengers in pairs:
        sums[harbour] += passengers
    [(harbour, most)] = sums.most_common(1)
    return f"{harbour} {most}"


def baseline() -> Agent:
    """The head shows the columns and how many lines a day has; then only the needed lines are read."""
    yield [direct("files.read_file", path=PATH, head=HARBOURS + 2)]
    [rows] = yield [direct("files.read_file", path=PATH, tail=HARBOURS * DAYS)]
    parts = [line.split(",") for line in lines(rows)]
    return _most((harbour, int(passengers)) for _, harbour, passengers, *_ in parts)


def search() -> Agent:
    """The file is read as a table: JMESPath computes the sums in the stored result."""
    yield SEARCHES
    [cut] = yield [through("files.read_file", {"path": PATH})]
    [codes] = yield [read(cut, path=f"[-{HARBOURS}:].harbour")]
    [sums] = yield [_sums(cut, data(codes))]
    return _most((harbour, int(number)) for harbour, number in data(sums).items())


def _sums(cut: str, codes: Iterable[str]) -> Call:
    last = f"[-{HARBOURS * DAYS}:]"
    each = ", ".join(f"{code}: sum({last} | [?harbour=='{code}'].passengers)" for code in codes)
    return read(cut, path=f"{{{each}}}")


def search_known() -> Agent:
    """Knowing the columns and the harbours saves one look."""
    yield SEARCHES
    [cut] = yield [through("files.read_file", {"path": PATH})]
    [sums] = yield [_sums(cut, CODES)]
    return _most((harbour, int(number)) for harbour, number in data(sums).items())


def _said(answer: str) -> str:
    number, harbour = data(answer)
    return f"{harbour} {number}"


TASK = Task(
    "passenger sums",
    QUESTION,
    truth,
    {
        "baseline": baseline,
        "search": search,
        "search, known": search_known,
        **by_code(SEARCHES, LOOKS, CODE, _said),
    },
)
