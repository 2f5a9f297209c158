"""The menu that a client sees, and what its model reads first: one surface for each way to offer the tools."""

from toolbooth.gateway.surfaces.choice import CatalogWeight, SurfaceChoice, choose_surface, weigh_catalog
from toolbooth.gateway.surfaces.instructions import surface_instructions
from toolbooth.gateway.surfaces.surface import BUILDERS, Surface, build, pin_problems

__all__ = [
    "BUILDERS",
    "CatalogWeight",
    "Surface",
    "SurfaceChoice",
    "build",
    "choose_surface",
    "pin_problems",
    "surface_instructions",
    "weigh_catalog",
]
