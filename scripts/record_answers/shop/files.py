"""The shop's project in a folder: sources many levels deep, invoices, data, logs, documents, pages."""

import os
from pathlib import Path

from . import dumps, handbook, logs, modules, pages, tables
from .words import TEAMS, after, dice

_LAYERS = ("api", "domain", "storage", "jobs", "ui")
_FILES = (
    "model.py",
    "views.py",
    "events.py",
    "rules.py",
    "client.py",
    "test_rules.py",
    "schema.json",
    "README.md",
)


def write_project(folder: Path) -> None:
    """All files, with times that do not depend on the day."""
    for name, text in _texts().items():
        _write(folder / name, text)
    _write_sources(folder / "services")
    _write_invoices(folder / "invoices")
    tables.write_database(folder / "shop.db")
    for number, path in enumerate(sorted(folder.rglob("*"))):
        moment = after(number).timestamp()
        os.utime(path, (moment, moment))


def _texts() -> dict[str, str]:
    return {
        "data/orders.csv": tables.orders_csv(),
        "data/items.csv": tables.items_csv(),
        "data/goods.json": dumps.minified(dumps.goods_by_shelf()),
        "reports/stock.txt": tables.stock_report(),
        "logs/app.log": logs.app_log(3200),
        "logs/worker.log": logs.worker_log(900),
        "logs/price-service.log": logs.java_log(700),
        "logs/events.jsonl": logs.events(900),
        "docs/handbook.md": handbook.handbook(),
        "docs/runbook.md": handbook.runbook(),
        "mail/complaint.eml": dumps.mail(),
        "shop/tax_and_freight.py": modules.rules(),
        "shop/tokens.js": modules.stylesheet_tokens(),
        "public/goods.html": pages.catalogue(90),
    }


def _write_sources(folder: Path) -> None:
    throw = dice("sources")
    for team in TEAMS:
        for layer in _LAYERS:
            for part in throw.sample(
                ("basket", "price", "parcel", "refund", "label", "voucher", "report", "audit"), 4
            ):
                for name in throw.sample(_FILES, throw.randrange(3, 7)):
                    _write(
                        folder / team / "src" / "shop" / team / layer / part / name,
                        f"{part}\n" * throw.randrange(1, 90),
                    )


def _write_invoices(folder: Path) -> None:
    throw = dice("invoices")
    for number in range(760):
        state = throw.choice(("paid", "paid", "paid", "open", "overdue"))
        name = f"invoice-2026-{1 + number // 130:02}-{4100 + number * 3}-{state}.pdf"
        _write(folder / name, "%PDF\n" + "x" * throw.randrange(900, 3000))
    _write(folder / "READ-ME-FIRST.txt", "Invoices of 2025 are in the archive of the tax adviser.\n")


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
