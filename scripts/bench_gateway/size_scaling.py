"""The same echo call, and the menu, with few and with many tools behind each contender."""

import statistics
from collections.abc import Sequence
from functools import partial
from itertools import chain
from typing import Any

from toolbooth.tokens import weigh

from .backends import fakes
from .contenders import Contender
from .cpu import settle
from .launcher import Launcher, Session, attempt
from .pipe import ContenderFailed
from .rounds import ratio, take_turns

SERVERS = 10
TOOLS_EACH = {"few": 5, "many": 386}
FEW, MANY = (f"{SERVERS * each:,}" for each in TOOLS_EACH.values())


def measure_size_scaling(launcher: Launcher, contenders: Sequence[Contender], calls: int) -> dict[str, Any]:
    """One contender after the other, each started twice: with few tools and with many, timed in turn."""
    print(f"\nthe same call behind {FEW} and {MANY} tools of {SERVERS} servers, p50 ms, {calls} calls each")
    found = {}
    for contender in contenders:
        row = attempt(contender, partial(_few_and_many, launcher, contender, calls))
        launcher.clear()
        if row:
            found[contender.name] = row
            times = f"{FEW} {row['few']:8.3f}   {MANY} {row['many']:8.3f}   ratio {row['ratio']:6.2f}"
            menus = f"menu tokens {row['menu_few']:7,} → {row['menu_many']:8,}"
            print(f"  {contender.name:24} {times}   {menus}", flush=True)
    return found


def _few_and_many(launcher: Launcher, contender: Contender, calls: int) -> dict[str, Any]:
    sessions = {
        size: launcher.start(launcher.prepare(contender, fakes(SERVERS, each)))
        for size, each in TOOLS_EACH.items()
    }
    menus = {f"menu_{size}": _menu(session) for size, session in sessions.items()}
    for session in sessions.values():
        for server in range(SERVERS):
            session.echo(f"fake{server}", "ready")
    settle(*sessions.values())
    rounds = take_turns(sessions, "fake3", calls)
    growth = ratio(rounds, "many", "few")
    if growth is None:
        raise ContenderFailed("it did not finish")
    medians = {size: statistics.median(chain.from_iterable(blocks)) for size, blocks in rounds.items()}
    return {**medians, "ratio": growth, **menus}


def _menu(session: Session) -> int:
    return weigh(tool for pipe in session.pipes.values() for tool in pipe.list_tools()).total_tokens
