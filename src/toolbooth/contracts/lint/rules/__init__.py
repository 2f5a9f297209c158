"""One file a small family of rules; importing this fills the table."""

from toolbooth.contracts.lint.rules import (
    boilerplate,
    descriptions,
    hints,
    inputs,
    look_alikes,
    names,
    schemas,
)

__all__ = ["boilerplate", "descriptions", "hints", "inputs", "look_alikes", "names", "schemas"]
