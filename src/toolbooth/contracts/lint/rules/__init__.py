"""The lint rules, one file for each family; importing this package fills the table."""

from toolbooth.contracts.lint.rules import descriptions, names, schemas

__all__ = ["descriptions", "inputs", "names", "schemas"]
