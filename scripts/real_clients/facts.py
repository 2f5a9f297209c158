"""What each client does with one server: what it defers, what it cuts, and what it takes notice of."""

import json
import re
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from scripts.real_clients.modes import LOADED, MODES, Mode, home_of, until_known
from tests.provider_formats import Calls, Says
from tests.real_clients.client_home import ClientHome, Session
from tests.real_clients.clients import CLAUDE_CODE
from tests.real_clients.scripted_model import Turn
from tests.real_clients.what_was_sent import Sent

_LINE: Final = "row {:05d} of this answer\n"  # 25 characters
_LINES: Final = (400, 800, 1_200, 1_600, 2_000, 2_400)  # of answers; 10,000 to 60,000 characters
_LONG: Final = " ".join(f"word{number:04d}" for number in range(666))  # 5,993 characters
_KEPT: Final = 8_000  # lines of an answer that its tool wants whole
_NAME: Final = "n" * 100
_PREFIX: Final = "mcp__acted__"
_SHOWN: Final = re.compile(r"word\d{4}")


def facts_of(mode: Mode) -> dict[str, str]:
    """Fact by fact, in words; two sessions of the client, with its usual config and with the tools loaded."""
    with (
        tempfile.TemporaryDirectory() as folder,
        home_of(Path(folder), mode.client, {"acted": _part()}) as home,
    ):
        usual = _run(home, mode, until_known(2))
    parts = {"acted": _part()}
    with tempfile.TemporaryDirectory() as folder, home_of(Path(folder), mode.client, parts, LOADED) as home:
        if mode.client is CLAUDE_CODE:
            _always_load(home)
        loaded = _run(home, mode, [_ask_for_answers()])
    last = usual.sent[-1]
    first = loaded.sent[0]
    return {
        "of a server's tools, its model sees": _offered(last),
        'a tool with `_meta: {"anthropic/alwaysLoad": true}`': _state(last, "always"),
        "with `alwaysLoad: true` or `omit_tools_from = ['deferred']` in its config": _offered(first),
        f"instructions of {len(_LONG):,} characters": _characters(last.instructions),
        f"a description of {len(_LONG):,} characters": _characters(
            json.dumps(first.loaded[f"{_PREFIX}long"])
        ),
        f"a name of {len(_NAME)} characters": _name_of(first, _NAME[:20]),
        "a name with a dot, `dotted.name`": _name_of(first, "dotted"),
        "the longest answer that is shown whole": _longest(loaded),
        "a longer answer": _beyond(loaded),
        "`anthropic/maxResultSizeChars` above that": _kept(loaded),
        "a tool added while it runs": _state(
            loaded.sent[-1], "added", "shown at the next turn", "not noticed"
        ),
    }


def _part() -> dict[str, Any]:
    def tool(name: str, description: str = "Gives rows.", **more: Any) -> dict[str, Any]:
        return {"name": name, "description": description, "inputSchema": {"type": "object"}, **more}

    rows = [tool(f"rows_{lines}") for lines in _LINES]
    kept = tool("kept", _meta={"anthropic/maxResultSizeChars": 500_000})
    always = tool("always", _meta={"anthropic/alwaysLoad": True})
    texts = {f"rows_{lines}": _answer(lines) for lines in _LINES}
    return {
        "tools": [tool("long", _LONG), always, tool(_NAME), tool("dotted.name"), *rows, kept],
        "texts": {**texts, "kept": _answer(_KEPT)},
        "instructions": _LONG,
        "later": [tool("added")],
    }


def _answer(lines: int) -> str:
    return "".join(_LINE.format(number) for number in range(lines))


def _always_load(home: ClientHome) -> None:
    config = json.loads(home.config.read_text(encoding="utf-8"))
    config["mcpServers"]["acted"]["alwaysLoad"] = True
    home.config.write_text(json.dumps(config), encoding="utf-8")


def _run(home: ClientHome, mode: Mode, script: Sequence[Turn]) -> Session:
    return home.run(script, *mode.words, **mode.environ)


def _ask_for_answers() -> Says:
    names = [*(f"rows_{lines}" for lines in _LINES), "kept"]
    return Says(calls=[Calls(f"{_PREFIX}{name}", {}) for name in names])


def _offered(sent: Sent) -> str:
    loaded = [name for name in sent.loaded if name != f"{_PREFIX}always"]
    if loaded:
        return "their definitions"
    return "their names" if any(name.startswith(_PREFIX) for name in sent.deferred) else "its server's name"


def _state(sent: Sent, tool: str, here: str = "loaded", absent: str = "as the others") -> str:
    return here if f"{_PREFIX}{tool}" in sent.loaded else absent


def _characters(text: str) -> str:
    words = len(_SHOWN.findall(text))
    return "whole" if words == len(_SHOWN.findall(_LONG)) else f"the first {words * 9:,} or so"


def _name_of(sent: Sent, start: str) -> str:
    name = next(name.removeprefix(_PREFIX) for name in sent.loaded if start in name)
    return "whole" if name == _NAME else f"cut to {len(name)}" if start in _NAME else f"`{name}`"


def _answers(session: Session) -> Mapping[int, str]:
    return dict(zip((*_LINES, _KEPT), session.results, strict=True))


def _whole(text: str, lines: int) -> bool:
    return len(re.findall(r"row \d{5} of this answer", text)) == lines


def _longest(session: Session) -> str:
    shown = [lines for lines, text in _answers(session).items() if lines in _LINES and _whole(text, lines)]
    return f"{max(shown, default=0) * len(_LINE.format(0)):,} characters (of those tried)"


def _beyond(session: Session) -> str:
    text = _answers(session)[_LINES[-1]]
    if "saved to" in text:
        return f"a file, and {len(text):,} characters about it"
    return (
        f"its middle is cut out, {round(len(text), -3):,} characters stay" if "truncated" in text else "whole"
    )


def _kept(session: Session) -> str:
    return "shown whole" if _whole(_answers(session)[_KEPT], _KEPT) else "cut all the same"


def table(facts: Mapping[str, Mapping[str, str]]) -> str:
    """A row for each fact, a column for each way to run a client."""
    labels = [mode.label for mode in MODES if mode.label in facts]
    rows = [("", *labels), ("---", *("---" for _ in labels))]
    rows += [(name, *(facts[label][name] for label in labels)) for name in facts[labels[0]]]
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)
