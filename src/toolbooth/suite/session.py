"""What several runs of one process share: configs that were read, servers that were listed, menus that were weighed.

`toolbooth test` is one run; under pytest each item is a run of its own, and without this each would start every
server again to see drift, and weigh every menu anew.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from toolbooth.catalog import ServerSpec
from toolbooth.suite.cassette import CassetteFolder
from toolbooth.suite.servers import Servers
from toolbooth.suite.spec.suite import Suite

if TYPE_CHECKING:
    from toolbooth.catalog.connect import Reached


class Session:
    """Read, listed and weighed once each; nothing in it outlives the process."""

    def __init__(self) -> None:
        self._servers: dict[Path, Servers] = {}
        self._folders: dict[Path, CassetteFolder] = {}
        self._reached: list[Reached] = []

    def servers(self, suite: Suite, environ: Mapping[str, str]) -> Servers:
        """Those of a suite; read again where the environment, which may be named in them, is another one."""
        known = self._servers.get(suite.path)
        if known is None or known.given != environ or known.suite is not suite:
            known = self._servers[suite.path] = Servers(suite, environ)
        return known

    def folder(self, path: Path) -> CassetteFolder:
        """A folder of recordings, with the catalogs of it that were read and weighed."""
        return self._folders.setdefault(path.absolute(), CassetteFolder(path))

    async def reach(self, specs: Sequence[ServerSpec]) -> "list[Reached]":
        """Start and list those that were not listed yet, all at once; one that failed is not tried again."""
        from toolbooth.catalog.connect import reach_all  # a replay that starts nothing need not know how

        new = [spec for spec in specs if self._known(spec) is None]
        self._reached += await reach_all(new)
        return [found for spec in specs if (found := self._known(spec)) is not None]

    def _known(self, spec: ServerSpec) -> "Reached | None":
        """The same server may be named in several files."""
        return next(
            (reached for reached in self._reached if replace(reached.spec, source=spec.source) == spec), None
        )
