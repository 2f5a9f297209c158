"""The tokens of each contender's menu, and of its answers to a search."""

import statistics
from collections.abc import Mapping
from functools import partial
from typing import Any

import orjson

from toolbooth.tokens import count, weigh

from .launcher import Session, attempt

QUERIES = (
    "create a new issue in a repository",
    "open a pull request",
    "read a text file",
    "list what is in a folder",
    "search code on GitHub",
    "take a screenshot of the page",
    "click a button",
    "fill in a form",
    "navigate to a web address",
    "move or rename a file",
    "add two numbers",
    "merge a pull request",
    "get the commits of a branch",
    "find files by name",
    "edit some lines of a file",
    "press a key",
    "comment on an issue",
    "which environment variables are set",
    "wait for text to appear on the page",
    "fork a project",
)


def measure_menus(sessions: Mapping[str, Session]) -> dict[str, Any]:
    """What a client pays for on every model call, and for each search."""
    print(f"\ntokens (cl100k) in front of the four servers; search answers over {len(QUERIES)} queries")
    found = {}
    for name, session in sessions.items():
        row = attempt(session.prepared.contender, partial(_menu, session))
        if row:
            found[name] = row
            print(f"  {name:24} {_shown(row)}", flush=True)
    return found


def _menu(session: Session) -> dict[str, Any]:
    tools = [tool for pipe in session.pipes.values() for tool in pipe.list_tools()]
    menu = {
        "tools": len(tools),
        "menu": weigh(tools).total_tokens,
        "instructions": count(session.instructions),
    }
    search = session.prepared.contender.search
    if not search:
        return menu
    answers = [session.pipe("").call(*search(query)).result for query in QUERIES]
    texts = [count("\n".join(part.get("text", "") for part in answer["content"])) for answer in answers]
    extra = [_structured(answer) for answer in answers]
    return menu | {
        "search_text_mean": statistics.mean(texts),
        "search_text_most": max(texts),
        "search_structured_mean": statistics.mean(extra),
    }


def _structured(answer: Mapping[str, Any]) -> int:
    """A structured copy of the answer, which some clients also pass to the model."""
    structured = answer.get("structuredContent")
    return count(orjson.dumps(structured).decode()) if structured else 0


def _shown(row: Mapping[str, Any]) -> str:
    menu = f"menu {row['menu']:7,} ({row['tools']} tools)   instructions {row['instructions']:5,}"
    if "search_text_mean" not in row:
        return f"{menu}   no search tool"
    return (
        f"{menu}   a search answer {row['search_text_mean']:6,.0f} (most {row['search_text_most']:,})"
        f" + structured copy {row['search_structured_mean']:6,.0f}"
    )
