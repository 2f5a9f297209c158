"""Budgets: how many tokens definitions and answers may take, and by how much a definition may grow.

They come from `--budget WHAT=LIMIT` and are kept in the lock under `budgets`.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, Self

from toolbooth import errors

EACH: Final = "*"  # every server, or every tool, without a limit of its own
_LIMIT: Final = re.compile(r"(?P<number>[0-9][0-9_,]{0,14})(?P<k>k?)", re.IGNORECASE)
_PERCENT: Final = re.compile(r"(?P<number>[0-9]{1,6}(?:\.[0-9]{1,3})?)%")
_OFF: Final = ("off", "")
EXAMPLES: Final = (
    "total=8000, server:github=3000, tool:github.create_issue=300, answer:github.search=4k, growth=10%"
)


@dataclass(frozen=True)
class Budgets:
    """Limits on the definition tokens of all servers, a server or a tool, on a tool's answers, and on growth.

    `servers`, `tools` and `answers` map a name (`server`, `server.tool`, or `*` for each) to tokens. None is no limit.
    """

    total: int | None = None
    servers: Mapping[str, int] = field(default_factory=dict)
    tools: Mapping[str, int] = field(default_factory=dict)
    answers: Mapping[str, int] = field(default_factory=dict)
    growth_tokens: int | None = None  # how much one tool's definition may grow against the lock
    growth_percent: float | None = None

    def __bool__(self) -> bool:
        return self != Budgets()

    def of_server(self, server: str) -> int | None:
        """The most tokens that this server's definitions may take."""
        return self.servers.get(server, self.servers.get(EACH))

    def of_tool(self, tool_id: str) -> int | None:
        """The most tokens that this tool's definition may take."""
        return self.tools.get(tool_id, self.tools.get(EACH))

    def of_answer(self, tool_id: str) -> int | None:
        """The most tokens that one answer of this tool may take."""
        return self.answers.get(tool_id, self.answers.get(EACH))

    def as_json(self) -> dict[str, Any]:
        """As the lock stores it: only the limits that are set."""
        values = {
            "total": self.total,
            "servers": dict(self.servers),
            "tools": dict(self.tools),
            "answers": dict(self.answers),
            "growth_tokens": self.growth_tokens,
            "growth_percent": self.growth_percent,
        }
        return {key: value for key, value in values.items() if value is not None and value != {}}

    @classmethod
    def from_json(cls, value: object) -> Self:
        """Read what the lock stores; raises ValueError with what is wrong."""
        if not isinstance(value, Mapping):
            raise ValueError("budgets is not an object")
        unknown = set(value) - set(cls.__dataclass_fields__)
        if unknown:
            raise ValueError(f"unknown budget {min(unknown)!r}")
        for key in ("total", "growth_tokens", "growth_percent"):
            _check_number(key, value.get(key, 0), whole=key != "growth_percent")
        for key in ("servers", "tools", "answers"):
            _check_table(key, value.get(key, {}))
        return cls(**value)


def _check_number(key: str, value: object, *, whole: bool) -> None:
    kinds = int if whole else (int, float)
    if isinstance(value, bool) or not isinstance(value, kinds) or value < 0:
        raise ValueError(f"the budget {key} is not a number of zero or more")


def _check_table(key: str, value: object) -> None:
    if not isinstance(value, Mapping):
        raise ValueError(f"the budget {key} is not an object")
    for name, limit in value.items():
        _check_number(f"{key} of {name}", limit, whole=True)


def with_limits(budgets: Budgets, words: Iterable[str]) -> Budgets:
    """Apply each `WHAT=LIMIT`, where `off` removes a limit; raises UserMistake with examples."""
    for word in words:
        budgets = _with_limit(budgets, word)
    return budgets


def _with_limit(budgets: Budgets, word: str) -> Budgets:
    what, equals, limit = word.partition("=")
    kind, _, name = what.strip().partition(":")
    table = {"server": "servers", "tool": "tools", "answer": "answers"}.get(kind)
    if equals and table is not None:
        limits = {**getattr(budgets, table)}
        limits.pop(name or EACH, None)
        if limit not in _OFF:
            limits[name or EACH] = _whole(word, limit)
        changed: dict[str, Any] = {table: limits}
        return replace(budgets, **changed)
    if equals and not name and kind == "total":
        return replace(budgets, total=None if limit in _OFF else _whole(word, limit))
    if equals and not name and kind == "growth":
        return _with_growth(budgets, word, limit)
    raise errors.UserMistake(f"--budget {word!r} is not a budget; try {EXAMPLES}, or total=off")


def _with_growth(budgets: Budgets, word: str, limit: str) -> Budgets:
    if limit in _OFF:
        return replace(budgets, growth_tokens=None, growth_percent=None)
    percent = _PERCENT.fullmatch(limit)
    if percent:
        number = float(percent["number"])
        return replace(budgets, growth_percent=int(number) if number.is_integer() else number)
    return replace(budgets, growth_tokens=_whole(word, limit))


def _whole(word: str, limit: str) -> int:
    match = _LIMIT.fullmatch(limit.strip())
    if not match:
        raise errors.UserMistake(
            f"--budget {word!r} needs a whole number of tokens after `=`; try {EXAMPLES}"
        )
    return int(re.sub("[_,]", "", match["number"])) * (1000 if match["k"] else 1)
