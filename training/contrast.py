"""Stage 2: rows by which a request is nearer to its own tool than to all others."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn.functional import cross_entropy, kl_div, log_softmax, softmax

from training.bags import Bags, ToolBags
from training.student import Student

Floats = NDArray[np.float32]
Numbers = NDArray[np.int64]
Say = Callable[[str], None]

_ANCHORS: Final = 768  # texts per step
_TELL: Final = 200
_HIDE: Final = 0.15  # share of a tool's fields, left out at random: a terse tool has only its name


@dataclass(frozen=True)
class Plan:
    """The settings of the stage; `own` is the share of written requests in a batch."""

    steps: int = 1_600
    batch: int = 512
    rate: float = 4e-4
    heat: float = 0.05
    own: float = 0.5
    near: float = 0.5  # share of batches drawn from neighbourhoods, where the wrong tools are alike
    teacher: float = 0.1  # weight of the teacher's own opinion; 1.0 lost .015 on held-out requests
    too_alike: float = 0.8  # tools that are the same to the teacher do not count as wrong
    siblings: int = 2  # further tools of the same server, for each request
    anchor: float = (
        3.0  # weight of the teacher's similarities among any texts, so that other words move along
    )
    seed: int = 0
    dropped: float = 0.1  # share of a request's words, left out at random


@dataclass(frozen=True)
class Places:
    """For every tool: the teacher's vector, and the numbers of its server and of its neighbourhood."""

    seen: Floats
    servers: Numbers
    homes: Numbers


@dataclass(frozen=True)
class Anchor:
    """Any texts with the teacher's vectors."""

    bags: Bags
    taught: Floats


@dataclass(frozen=True)
class Pairs:
    """Requests, the number of the tool of each, and the teacher's vectors of the requests."""

    bags: Bags
    tools: Numbers
    taught: Floats


def contrast(
    student: Student,
    pools: Sequence[Pairs],
    tools: ToolBags,
    places: Places,
    anchor: Anchor,
    plan: Plan,
    say: Say,
) -> None:
    """AdamW over batches of requests, each compared with its batch's tools; `pools`: written ones, generated ones."""
    torch.manual_seed(plan.seed)
    rng = np.random.default_rng(plan.seed)
    optimizer = torch.optim.AdamW(student.parameters(), lr=plan.rate, weight_decay=0.0)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimizer, plan.rate, total_steps=plan.steps, pct_start=0.1
    )
    draw, siblings = _Drawing(pools, places.homes, plan, rng), _Siblings(places.servers, rng)
    lost = 0.0
    for step in range(plan.steps):
        pool, which = draw()
        right = pool.tools[which]
        offered = np.unique(np.concatenate([right, siblings(right, plan.siblings)]))
        loss = _loss(student, pool, which, offered, tools, places.seen, plan)
        loss = loss + plan.anchor * _anchored(student, anchor, rng.choice(len(anchor.bags), _ANCHORS))
        optimizer.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        optimizer.step()
        schedule.step()
        lost += loss.item()
        if (step + 1) % _TELL == 0:
            say(f"stage 2: step {step + 1:,} of {plan.steps:,}, loss {lost / _TELL:.4f}")
            lost = 0.0


def _anchored(student: Student, anchor: Anchor, which: Numbers) -> torch.Tensor:
    made, reported = student.text(anchor.bags.take(which)), torch.from_numpy(anchor.taught[which])
    return ((made @ made.T - reported @ reported.T) ** 2).mean()


def neighbourhoods(seen: Floats, amount: int = 300) -> Numbers:
    """The number of each tool's cluster, by the teacher's similarities."""
    cluster: Any = import_module("sklearn.cluster")
    found = cluster.MiniBatchKMeans(amount, random_state=0, n_init=1, batch_size=4_096).fit_predict(seen)
    return np.asarray(found, np.int64)


def _loss(
    student: Student,
    pool: Pairs,
    which: Numbers,
    offered: Numbers,
    tools: ToolBags,
    seen: Floats,
    plan: Plan,
) -> torch.Tensor:
    right = np.searchsorted(offered, pool.tools[which])
    hidden = (torch.rand(len(tools.weights), len(offered)) < _HIDE).float()
    hidden[:, hidden.sum(0) == len(tools.weights)] = 0
    batch = pool.bags.take(which)
    kept = (torch.rand(len(batch.weights)) >= plan.dropped).float()
    asked = student.query(batch._replace(weights=batch.weights * kept))
    scores = asked @ student.tool(tools.take(offered), tools.weights, hidden).T / plan.heat
    wanted = torch.from_numpy(right)
    same = torch.from_numpy(seen[offered[right]] @ seen[offered].T > plan.too_alike)
    same[torch.arange(len(right)), wanted] = False
    masked = scores.masked_fill(same, -1e4)
    reported = torch.from_numpy(pool.taught[which] @ seen[offered].T) / plan.heat
    apart = kl_div(log_softmax(scores, 1), softmax(reported, 1), reduction="batchmean")
    return cross_entropy(masked, wanted) + plan.teacher * apart


class _Drawing:
    """Draws the requests of a batch: from one of the pools, at random or from a few neighbourhoods."""

    def __init__(self, pools: Sequence[Pairs], homes: Numbers, plan: Plan, rng: np.random.Generator) -> None:
        self._pools, self._plan, self._rng = pools, plan, rng
        self._by_home = [_grouped(homes[pool.tools]) for pool in pools]

    def __call__(self) -> tuple[Pairs, Numbers]:
        at = 0 if len(self._pools) == 1 or self._rng.random() < self._plan.own else 1
        pool, size = self._pools[at], self._plan.batch
        if self._rng.random() >= self._plan.near:
            return pool, self._rng.choice(len(pool.tools), size, replace=False)
        groups = self._by_home[at]
        chosen: list[Numbers] = []
        while sum(map(len, chosen)) < size:
            chosen.append(groups[self._rng.integers(len(groups))])
        return pool, np.unique(self._rng.permutation(np.concatenate(chosen))[:size])


class _Siblings:
    """More tools from the servers of a batch, which are the hardest to distinguish."""

    def __init__(self, servers: Numbers, rng: np.random.Generator) -> None:
        self._servers, self._rng = servers, rng
        self._members = dict(zip(np.unique(servers).tolist(), _grouped(servers), strict=True))

    def __call__(self, tools: Numbers, amount: int) -> Numbers:
        if not amount:
            return tools[:0]
        members = [self._members[server] for server in self._servers[tools].tolist()]
        return np.concatenate([self._rng.choice(each, amount) for each in members])


def _grouped(labels: Numbers) -> list[Numbers]:
    """The indexes of each label, in the order of the labels."""
    order = np.argsort(labels, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(labels[order])) + 1)
