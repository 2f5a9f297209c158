"""Server specs × the name of a surface → the toolbox of one run."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Final

from toolbooth.catalog import ServerSpec
from toolbooth.errors import UserMistake
from toolbooth.safetext import for_terminal
from toolbooth.suite.agents.toolbox import Toolbox

Specs = Sequence[ServerSpec]
Environ = Mapping[str, str]
Opened = AbstractAsyncContextManager[Toolbox]


def open_toolbox(specs: Specs, surface: str, environ: Environ, cwd: Path) -> Opened:
    """`direct` is without a gateway. Raises BackendFault, when entered, where a server does not come up."""
    opens = _SURFACES.get(surface)
    if opens is None:
        known = ", ".join(_SURFACES)
        raise UserMistake(f'there is no surface "{for_terminal(surface, 40)}"; choose one of {known}')
    return opens(specs, surface, environ, cwd)


# Both bring the protocol SDK, which takes a second to import: a replay needs neither.
def _directly(specs: Specs, _surface: str, environ: Environ, _cwd: Path) -> Opened:
    from toolbooth.suite.agents.direct_toolbox import direct_toolbox

    return direct_toolbox(specs, environ)


def _through_a_gateway(specs: Specs, surface: str, environ: Environ, cwd: Path) -> Opened:
    from toolbooth.suite.agents.surface_toolbox import surface_toolbox

    return surface_toolbox(specs, surface, environ, cwd)


_SURFACES: Final[Mapping[str, Callable[[Specs, str, Environ, Path], Opened]]] = {
    "direct": _directly,
    "search": _through_a_gateway,
    "full": _through_a_gateway,
    "code": _through_a_gateway,
}
