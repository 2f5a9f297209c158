"""A catalog × sizes × a seed → smaller and larger catalogs, each the beginning of the next."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import NamedTuple

from toolbooth.bench.growth.made_up import made_up_servers
from toolbooth.catalog import Catalog, Tool


class Sized(NamedTuple):
    """A catalog of the wanted size; `made_up` counts its tools that no server has."""

    catalog: Catalog
    made_up: int


class Sampler:
    """One order of all tools, drawn once: a tool of a small sample is in every larger one."""

    def __init__(self, catalog: Catalog, seed: int) -> None:
        # What was set aside is no tool, and a file that names it would be refused as damaged.
        self._catalog = Catalog(tuple(replace(each, set_aside=()) for each in catalog.servers))
        self._seed = seed
        order = list(range(len(catalog.tools)))
        Random(seed).shuffle(order)  # noqa: S311 - repeatable, and no secret
        self._place = {catalog.tools[at].id: place for place, at in enumerate(order)}
        self._drawn = [catalog.tools[at] for at in order]

    def first(self, count: int) -> Sequence[Tool]:
        """The tools that come first."""
        return self._drawn[:count]

    def catalog(self, size: int) -> Sized:
        """So many tools: real ones while there are any, made-up ones beyond."""
        if size < len(self._catalog):
            return Sized(self._part(size), 0)
        missing = size - len(self._catalog)
        taken = {each.server for each in self._catalog.servers}
        more = made_up_servers(self._drawn, missing, self._seed, taken)
        return Sized(Catalog((*self._catalog.servers, *more)), missing)

    def _part(self, size: int) -> Catalog:
        parts = (
            replace(each, tools=tuple(tool for tool in each.tools if self._place[tool.id] < size))
            for each in self._catalog.servers
        )
        return Catalog(tuple(each for each in parts if each.tools))
