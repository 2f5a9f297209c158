"""Application logs: levels, stack traces of Python and Java, JSON lines."""

import json
import random
from collections.abc import Iterator

from .goods import orders, products
from .words import TEAMS, after, dice

_QUIET = (
    "basket {basket} priced in {ms} ms", "stock of {sku} is now {n}", "mail order-confirmed queued for {order}",
    "cache hit for shelf page {n}", "session {basket} renewed", "label printed for {order}",
    "{order} handed to carrier",
)  # fmt: skip
_WARN = (
    "slow query on shelf_items took {ms} ms", "retry {few} of 5 for carrier Kurier24", "stock of {sku} below {few}",
    "voucher SPRING{n} is used up", "queue mail has {n} entries",
)  # fmt: skip
_ERROR = (
    "payment of {order} was declined by the bank with code {n}", "carrier Fjordline refused {order}: address unknown",
    "tax rule missing for {sku}", "mail to customer of {order} bounced", "price of {sku} differs from the basket",
)  # fmt: skip


def app_log(lines: int) -> str:
    """One line an event: time, level, logger, message."""
    throw, made = dice("app log"), []
    for number in range(lines):
        level = throw.choices(("DEBUG", "INFO", "WARN", "ERROR"), (20, 70, 8, 0.9))[0]
        made.append(f"{_when(throw, number)} {level:5} [{throw.choice(TEAMS)}] {_event(throw, level)}")
    return "\n".join(made) + "\n"


def _when(throw: random.Random, number: int) -> str:
    return (
        after(number * 0.41 + throw.random() * 0.3).strftime("%Y-%m-%d %H:%M:%S")
        + f",{throw.randrange(1000):03}"
    )


def _event(throw: random.Random, level: str) -> str:
    text = throw.choice({"WARN": _WARN, "ERROR": _ERROR}.get(level, _QUIET))
    return text.format(
        basket=f"b-{throw.randrange(1 << 32):08x}",
        sku=throw.choice(products())["sku"],
        order=throw.choice(orders())["id"],
        ms=throw.randrange(2, 900),
        n=throw.randrange(10, 400),
        few=throw.randrange(1, 6),
    )


_FRAMES = (
    ("shop/worker/run.py", "run_forever", "job.perform()"),
    ("shop/worker/job.py", "perform", "return self.handler(self.payload)"),
    ("shop/mail/render.py", "render", "return template.fill(order)"),
    ("shop/mail/template.py", "fill", "return self.text.format_map(fields)"),
    ("shop/orders/store.py", "load", "row = cursor.fetchone()"),
    ("shop/tax/rules.py", "rate_for", "return self.rates[country]"),
    ("shop/carriers/base.py", "book", "answer = self.client.post(url, json=parcel)"),
)  # fmt: skip
_RAISED = (
    "KeyError: 'PT'", "TimeoutError: no answer from carrier Lastrad within 30 s",
    "ValueError: weight must be positive, got {n}",
    "sqlite3.OperationalError: database is locked",
    "UnicodeEncodeError: 'ascii' codec can't encode character '\\xf6' in position {n}",
    "LookupError: no template order-returned for language lv",
)  # fmt: skip


def worker_log(events: int) -> str:
    """Quiet lines, and now and then a Python traceback."""
    return "\n".join(_worker_lines(dice("worker log"), events)) + "\n"


def _worker_lines(throw: random.Random, events: int) -> Iterator[str]:
    for number in range(events):
        if throw.random() < 0.055:
            when, order = _when(throw, number * 9), throw.choice(orders())["id"]
            yield f"{when} ERROR job {order} failed, attempt {throw.randrange(1, 6)}"
            yield "Traceback (most recent call last):"
            depth = throw.randrange(3, len(_FRAMES) + 1)
            for path, function, code in _FRAMES[:depth]:
                yield f'  File "/srv/shop/{path}", line {throw.randrange(12, 480)}, in {function}'
                yield f"    {code}"
            yield throw.choice(_RAISED).format(n=throw.randrange(40, 9000))
        else:
            yield f"{_when(throw, number * 9)} INFO  job {_event(throw, 'INFO')}"


_THROWN = (
    "java.lang.IllegalStateException: Connection pool shut down",
    "java.sql.SQLTransientConnectionException: pool-1 - Connection is not available, "
    "request timed out after 30000ms",
    "java.util.concurrent.TimeoutException: Did not observe any item within {n}ms",
    "java.lang.NullPointerException: Cannot invoke \"Price.gross()\" because \"price\" is null",
)  # fmt: skip
_CLASSES = (
    "PriceController",
    "PriceService",
    "TaxClient",
    "StockRepository",
    "RetryFilter",
    "RequestChain",
    "WorkerThread",
)


def java_log(events: int) -> str:
    """A service in Java: chained exceptions with dozens of frames."""
    return "\n".join(_java_lines(dice("java log"), events)) + "\n"


def _java_lines(throw: random.Random, events: int) -> Iterator[str]:
    for number in range(events):
        when, thread = _when(throw, number * 4), f"[http-{throw.randrange(1, 33)}]"
        if throw.random() >= 0.04:
            yield f"{when} INFO  {thread} e.s.price.{throw.choice(_CLASSES)} - {_event(throw, 'INFO')}"
            continue
        asked = throw.choice(products())["sku"]
        yield f"{when} ERROR {thread} e.s.price.PriceController - GET /prices/{asked} failed with 500"
        yield f"example.shop.price.PriceUnavailableException: price of {throw.choice(products())['sku']} unavailable"
        yield from _frames(throw, throw.randrange(9, 18))
        yield "Caused by: " + throw.choice(_THROWN).format(n=throw.randrange(500, 9000))
        yield from _frames(throw, throw.randrange(6, 14))
        yield f"\t... {throw.randrange(9, 40)} common frames omitted"


def _frames(throw: random.Random, count: int) -> Iterator[str]:
    for _ in range(count):
        name = throw.choice(_CLASSES)
        method = throw.choice(("handle", "invoke", "apply", "doFilter", "load", "lambda$retry$0"))
        yield f"\tat example.shop.price.{name}.{method}({name}.java:{throw.randrange(20, 400)})"


def events(lines: int) -> str:
    """JSON lines of an event stream."""
    throw, made = dice("events"), []
    for number in range(lines):
        order = throw.choice(orders())
        kind = throw.choices(
            ("order.placed", "order.paid", "parcel.sent", "parcel.lost", "order.returned"),
            (40, 35, 30, 0.4, 6),
        )[0]
        made.append(
            {
                "seq": 7_100_000 + number,
                "at": after(number * 3.7).isoformat(),
                "event": kind,
                "order": order["id"],
                "amount": order["total"],
                "carrier": order["carrier"],
                "trace": f"{throw.randrange(1 << 64):016x}",
            }
        )
    return "".join(json.dumps(each) + "\n" for each in made)
