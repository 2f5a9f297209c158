"""Book and settings → the menu that a client sees and what its model reads first; one file a surface."""

from toolbooth.gateway.surfaces import code, direct, full, search  # they register their builders
from toolbooth.gateway.surfaces.instructions import instructions
from toolbooth.gateway.surfaces.slimmed import slim_ahead
from toolbooth.gateway.surfaces.surface import BUILDERS, Surface, build, pin_problems

SURFACE_MODULES = (search, full, code, direct)

__all__ = ["BUILDERS", "SURFACE_MODULES", "Surface", "build", "instructions", "pin_problems", "slim_ahead"]
