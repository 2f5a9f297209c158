"""A stdio server whose tools misbehave when they are called: `python hostile_calls.py DIARY [WAY…]`.

It never blocks, so that it hears what is said to it meanwhile, and writes down what it saw in the diary: starts,
requests by name, cancellations, and the largest number of calls that it had at once.
"""

import json
import os
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, repeat
from pathlib import Path
from typing import Any

DIARY, WAYS = Path(sys.argv[1]), sys.argv[2:]
READ_ONLY, REPEATABLE = {"readOnlyHint": True}, {"idempotentHint": True}
UGLY = "\x1b[31mred\u202egnp.exe\u200b<b>[/x]"
_lock, _counting = threading.Lock(), threading.Lock()
_at_work: set[Any] = set()
_names: dict[Any, str] = {}
_generation = 1
_paged: list[Any] = []
_listing = 0


def note(*words: object) -> None:
    with DIARY.open("a", encoding="utf-8") as diary:
        diary.write(" ".join(map(str, words)) + "\n")


def send(*parts: bytes) -> None:
    """As one piece: no other message comes between."""
    stream(parts)


def stream(parts: Iterable[bytes]) -> None:
    with _lock:
        for part in parts:
            rest = part
            while rest:
                rest = rest[os.write(1, rest) :]


def message(**parts: Any) -> None:
    send(json.dumps({"jsonrpc": "2.0", **parts}).encode() + b"\n")


def say(request_id: Any, text: str = "ok") -> None:
    message(id=request_id, result={"content": [{"type": "text", "text": text}]})


def apart(work: Callable[..., None]) -> Callable[[Any, Any], None]:
    """In a thread of its own: the server goes on listening."""
    return lambda request_id, given: threading.Thread(
        target=work, args=(request_id, given), daemon=True
    ).start()


# -- what the tools do ----------------------------------------------------------------------------------------
def crash(_request_id: Any, _given: Any) -> None:
    given = (os.environ.get("CANARY"), sys.argv[-1], os.environ.get("PARENT_TOKEN"))
    print(f"panic: \x1b[31mcore\x1b[0m melted, {', '.join(map(str, given))}", file=sys.stderr, flush=True)
    os._exit(7)


def crash_once(request_id: Any, given: Any) -> None:
    if DIARY.read_text(encoding="utf-8").count("call crash_once") == 1:
        crash(request_id, given)
    say(request_id, "survived")


def half_a_line(request_id: Any, _given: Any) -> None:
    send(b'{"jsonrpc":"2.0","id":%d,"res' % request_id)
    os._exit(0)


def hang(_request_id: Any, _given: Any) -> None:
    return None


def freeze(_request_id: Any, _given: Any) -> None:
    """Hears nothing any more, either."""
    time.sleep(3600)


def progress(request_id: Any, _given: Any) -> None:
    message(method="notifications/progress", params={"progressToken": request_id, "progress": 1})
    say(request_id)


def late_progress(request_id: Any, _given: Any) -> None:
    say(request_id)
    message(method="notifications/progress", params={"progressToken": request_id, "progress": 1})
    message(method="notifications/subscriptions/acknowledged", params={})
    message(method="notifications/message", params={"level": "info", "data": "end"})


def slow(request_id: Any, given: Any) -> None:
    """Answers when the file `release` exists, and measures how many it has at once."""
    with _counting:
        _at_work.add(request_id)
        note("overlap", len(_at_work))
    while not Path(given["release"]).exists():
        time.sleep(0.005)
    with _counting:
        _at_work.discard(request_id)
    say(request_id)


def drip(request_id: Any, _given: Any) -> None:
    def drops() -> Iterator[bytes]:
        for byte in json.dumps({"jsonrpc": "2.0", "id": request_id, "result": {"content": []}}).encode():
            yield bytes([byte])
            time.sleep(0.2)

    stream(drops())


def flood(request_id: Any, _given: Any) -> None:
    send(b'{"jsonrpc":"2.0","id":%d,"result":{"blob":"' % request_id, *[b"x" * 1_000_000] * 100, b'"}}\n')


def never_ending_line(request_id: Any, _given: Any) -> None:
    stream(chain([b'{"jsonrpc":"2.0","id":%d,"result":{"blob":"' % request_id], repeat(b"x" * 1_000_000)))


def fat(request_id: Any, given: Any) -> None:
    """An answer just below the cap."""
    text = b"x" * (16 * 1024 * 1024 - 4096)
    send(
        b'{"jsonrpc":"2.0","id":%d,"result":{"content":[{"type":"text","text":"%b"}]}}\n' % (request_id, text)
    )


def both(request_id: Any, _given: Any) -> None:
    message(id=request_id, result={"content": []}, error={"code": 1, "message": "x"})


def neither(request_id: Any, _given: Any) -> None:
    message(id=request_id)


def wrong_then_double_id(request_id: Any, _given: Any) -> None:
    say(99_999, "for nobody")
    say("no-such-id", "for nobody")
    say(request_id, "first")
    say(request_id, "second")


def odd_messages(request_id: Any, _given: Any) -> None:
    """Ids and parameters of shapes that no server should send, then a sound answer."""
    message(id=[1], method="ping")
    message(id={"a": 1}, method="roots/list")
    message(method="notifications/cancelled", params={"requestId": {"a": 1}})
    message(method="notifications/progress", params={"progressToken": [1], "progress": 1})
    message(method="notifications/message", params={"level": [], "data": None})
    message(method="notifications/resources/updated", params={"uri": {}})
    message(id=None, result={})
    say(request_id)


def noise(request_id: Any, _given: Any) -> None:
    send(b"Server busy \x1b[32m*\x1b[0m\n\n" * 100)
    say(request_id)


def endless_noise(_request_id: Any, _given: Any) -> None:
    while True:
        send(b"y\n" * 4096)


def stderr_flood(request_id: Any, _given: Any) -> None:
    for _ in range(200):
        os.write(2, b"e" * 65_536)
    say(request_id)


def refuse(request_id: Any, _given: Any) -> None:
    words = f"no way {UGLY} with {os.environ.get('CANARY')}"
    data = {"token": os.environ.get("CANARY"), "kept": 1}
    message(id=request_id, error={"code": -32000, "message": words, "data": data})


def storm(request_id: Any, _given: Any) -> None:
    for _ in range(500):
        message(method="notifications/tools/list_changed")
    say(request_id)


def change(request_id: Any, _given: Any) -> None:
    """From now on the tool `shape` has another definition."""
    global _generation
    _generation += 1
    message(method="notifications/tools/list_changed")
    say(request_id)


def change_and(way: str) -> Callable[[Any, Any], None]:
    """Says that its tools changed; until the file DIARY.relent exists, a list of them is answered in this way."""

    def work(request_id: Any, _given: Any) -> None:
        WAYS.append(way)
        message(method="notifications/tools/list_changed")
        say(request_id)

    return work


def shape(request_id: Any, given: Any) -> None:
    say(request_id, json.dumps(given))


def payload(raw: bytes) -> Callable[[Any, Any], None]:
    """A result with `raw` as the JSON of its text."""
    return lambda request_id, _given: send(
        b'{"jsonrpc":"2.0","id":%d,"result":{"content":[{"type":"text","text":%b}]}}\n' % (request_id, raw)
    )


TOOLS: dict[str, Callable[[Any, Any], None]] = {
    "ok": lambda request_id, _given: say(request_id),
    "ugly": lambda request_id, _given: say(request_id, UGLY),
    "crash": crash,
    "read_crash": crash,
    "repeat_crash": crash,
    "crash_once": crash_once,
    "half_a_line": half_a_line,
    "hang": hang,
    "freeze": freeze,
    "progress": progress,
    "late_progress": late_progress,
    "slow": apart(slow),
    "drip": apart(drip),
    "flood": apart(flood),
    "never_ending_line": apart(never_ending_line),
    "fat": apart(fat),
    "both": both,
    "neither": neither,
    "wrong_then_double_id": wrong_then_double_id,
    "odd_messages": odd_messages,
    "noise": noise,
    "endless_noise": apart(endless_noise),
    "stderr_flood": stderr_flood,
    "refuse": refuse,
    "storm": storm,
    "change": change,
    "change_silently": change_and("silent-list"),
    "change_and_refuse": change_and("refuse-list"),
    "change_and_page": change_and("hung-page"),
    "shape": shape,
    "not_json": payload(b"{oops"),
    "bad_utf8": payload(b'"\xff\xfe"'),
    "lone_surrogate": payload(b'"\\ud800"'),
    "deep": payload(b"[" * 200_000 + b"]" * 200_000),
    "long_integer": payload(b"9" * 100_000),
    "nan": payload(b"NaN"),
    "infinity": payload(b"Infinity"),
}
HINTS = {"read_crash": READ_ONLY, "repeat_crash": REPEATABLE, "crash_once": READ_ONLY}


def definition(name: str) -> dict[str, Any]:
    needed = {"shape": f"field{_generation}"}.get(name)
    schema: dict[str, Any] = {"type": "object"}
    if needed:
        schema |= {"properties": {needed: {"type": "string"}}, "required": [needed]}
    about = f"{UGLY} tool" if name == "ugly" else f"The tool {name}."
    if name in WAYS and f"call {name}" in DIARY.read_text(encoding="utf-8"):
        about += " It is another since it was called."
    return {"name": name, "description": about, "inputSchema": schema, "annotations": HINTS.get(name, {})}


# -- lists ----------------------------------------------------------------------------------------------------
def list_tools(request_id: Any) -> None:
    tools: list[Any] = [definition(name) for name in TOOLS]
    if "bad-tools" in WAYS:
        tools += [7, {"name": "broken", "inputSchema": []}, {**definition("ok"), "description": "second"}]
    if "ugly-names" in WAYS:
        tools.append({**definition("ok"), "name": UGLY})
    if DIARY.with_suffix(".relent").exists():
        message(id=request_id, result={"tools": tools})
    elif "hung-page" in WAYS:
        if not _paged:
            _paged.append(request_id)
            message(id=request_id, result={"tools": tools[:2], "nextCursor": "never"})
    elif "refuse-list" in WAYS:
        message(id=request_id, error={"code": -32000, "message": "no list today"})
    elif "silent-list" not in WAYS:
        cursor = {"nextCursor": f"c{request_id}"} if "endless-cursor" in WAYS else {}
        message(id=request_id, result={"tools": tools, **cursor})


def list_apart(request_id: Any) -> None:
    """Measures how many lists are asked for at once."""
    global _listing
    with _counting:
        _listing += 1
        note("listing", _listing)
    if "slow-list" in WAYS:
        time.sleep(0.1)
    with _counting:
        _listing -= 1
    list_tools(request_id)


def hello(request_id: Any) -> None:
    declared: Any = {"tools": {"listChanged": True}}
    if "odd-capabilities" in WAYS:
        declared = {"tools": True, "prompts": "yes", "resources": [1], "logging": 7}
    if "mute-level" in WAYS:
        declared["logging"] = {}
    about = {"name": UGLY if "ugly-names" in WAYS else "h", "version": "1"}
    message(
        id=request_id, result={"protocolVersion": "2025-06-18", "capabilities": declared, "serverInfo": about}
    )


def take(received: dict[str, Any]) -> None:
    method, request_id, params = received.get("method"), received.get("id"), received.get("params") or {}
    if method == "initialize":
        hello(request_id)
    elif method == "tools/list":
        threading.Thread(target=list_apart, args=(request_id,), daemon=True).start()
    elif method == "tools/call":
        _names[request_id] = params["name"]
        note("call", params["name"])
        TOOLS[params["name"]](request_id, params.get("arguments") or {})
    elif method == "logging/setLevel" and "mute-level" in WAYS:
        note("level", params["level"])
    elif method == "ping":
        note("ping")
        message(id=request_id, error={"code": -32601, "message": "?"})
    elif method == "notifications/cancelled":
        note("cancelled", _names.get(params.get("requestId")))
    elif request_id is not None:
        message(id=request_id, error={"code": -32601, "message": "?"})


def main() -> None:
    note("start", os.getpid())
    for way in WAYS:
        if way.startswith("die-from="):  # the start of this number and every later one ends at once
            starts = sum(line.startswith("start") for line in DIARY.read_text(encoding="utf-8").splitlines())
            if starts >= int(way.partition("=")[2]):
                sys.exit("no more lives")
        if way.startswith("wait-for="):
            while not Path(way.partition("=")[2]).exists():
                time.sleep(0.005)
    for line in sys.stdin.buffer:
        take(json.loads(line))
    note("end", os.getpid())
    while "stubborn" in WAYS:
        time.sleep(3600)


main()
