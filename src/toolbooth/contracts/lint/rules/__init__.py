"""One file a small family of rules; importing this fills the table."""

from toolbooth.contracts.lint.rules import descriptions, inputs, names, schemas

__all__ = ["descriptions", "inputs", "names", "schemas"]
