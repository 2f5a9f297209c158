"""The recorded calls: one row per answer, with its kind, server, tool and arguments."""

from typing import Any, NamedTuple

# The neutral values in the records instead of this machine's own
FOLDER, SITE = (
    "/srv/shop",
    "http://shop.example",
)
REPOSITORY = "/srv/repository"


class Call(NamedTuple):
    """One call; the name of its file is the kind and a number."""

    name: str
    server: str
    tool: str
    arguments: dict[str, Any]

    @property
    def kind(self) -> str:
        return self.name.rpartition("-")[0]


def _read(name: str, path: str) -> Call:
    return Call(name, "filesystem", "read_text_file", {"path": f"{FOLDER}/{path}"})


def _fetch(name: str, path: str, **more: Any) -> Call:
    return Call(name, "fetch", "fetch", {"url": f"{SITE}{path}", "max_length": 900_000, **more})


def _files(name: str, tool: str, path: str, **more: Any) -> Call:
    return Call(name, "filesystem", tool, {"path": f"{FOLDER}/{path}", **more})


_GIT = {"repo_path": REPOSITORY}
_SAILINGS = (
    "SELECT s.id, s.departs, s.status, f.name AS ferry, r.origin, r.destination, r.minutes FROM sailings s "
    "JOIN ferries f ON f.id = s.ferry_id JOIN routes r ON r.id = s.route_id ORDER BY s.id LIMIT 700"
)
_BOOKINGS = (
    "SELECT b.*, c.name, c.email FROM bookings b JOIN customers c ON c.id = b.customer_id "
    "ORDER BY b.id LIMIT 420"
)
CALLS = (
    _files("listing-1", "list_directory", "invoices"),
    _files("listing-2", "list_directory_with_sizes", "invoices", sortBy="size"),
    _files("listing-3", "search_files", "services", pattern="**/rules.py"),
    _files("tree-1", "directory_tree", "services"),
    _files("tree-2", "directory_tree", "services/payments"),
    Call("snapshot-1", "playwright", "browser_snapshot", {"url": f"{SITE}/goods"}),
    Call("snapshot-2", "playwright", "browser_snapshot", {"url": f"{SITE}/staff/orders"}),
    _fetch("html-1", "/goods", raw=True),
    _read("html-2", "public/goods.html"),
    _fetch("page-1", "/goods"),
    _fetch("page-2", "/handbook"),
    _fetch("issues-1", "/api/issues"),
    _fetch("issues-2", "/api/issues/compact"),
    Call("issues-3", "tickets", "search_tickets", {"query": "the", "status": "open"}),
    Call("issues-4", "tickets", "list_tickets", {"per_page": 100}),
    Call("rows-1", "database", "run_query", {"sql": _SAILINGS}),
    Call("rows-2", "sqlite", "read_query", {"query": "SELECT * FROM orders ORDER BY id LIMIT 500"}),
    Call(
        "rows-3",
        "sqlite",
        "read_query",
        {"query": "SELECT sku, name, stock, description FROM goods WHERE stock < 60"},
    ),
    Call("table-1", "database", "run_query", {"sql": _BOOKINGS, "format": "table"}),
    _read("table-2", "reports/stock.txt"),
    _read("log-1", "logs/app.log"),
    _files("log-2", "read_text_file", "logs/app.log", tail=400),
    _read("traces-1", "logs/worker.log"),
    _read("traces-2", "logs/price-service.log"),
    _read("jsonlines-1", "logs/events.jsonl"),
    _files("jsonlines-2", "read_text_file", "logs/events.jsonl", head=120),
    _read("csv-1", "data/orders.csv"),
    _read("csv-2", "data/items.csv"),
    Call("csv-3", "tickets", "export_tickets", {"status": "blocked"}),
    _read("markdown-1", "docs/handbook.md"),
    _read("markdown-2", "docs/runbook.md"),
    _fetch("base64-1", "/api/attachments", raw=True),
    _read("base64-2", "mail/complaint.eml"),
    _fetch("minified-1", "/api/orders"),
    _read("minified-2", "data/goods.json"),
    _fetch("deep-1", "/api/categories"),
    _fetch("deep-2", "/api/deployment"),
    Call("gitlog-1", "git", "git_log", {**_GIT, "max_count": 150}),
    Call("gitlog-2", "git", "git_log", {**_GIT, "max_count": 25}),
    Call("diff-1", "git", "git_diff", {**_GIT, "target": "main~60"}),
    Call("diff-2", "git", "git_show", {**_GIT, "revision": "main~169"}),
    Call("graph-1", "memory", "read_graph", {}),
    Call("graph-2", "memory", "search_nodes", {"query": "Lantern"}),
    _read("code-1", "shop/tax_and_freight.py"),
    Call(
        "code-2",
        "filesystem",
        "read_multiple_files",
        {
            "paths": [
                f"{FOLDER}/shop/tax_and_freight.py",
                f"{FOLDER}/shop/tokens.js",
                f"{FOLDER}/docs/runbook.md",
            ]
        },
    ),
)
