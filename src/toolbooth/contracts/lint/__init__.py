"""Lint of tool definitions: findings on their quality and cost."""

from toolbooth.contracts.lint.linter import lint, lint_rules

__all__ = ["lint", "lint_rules"]
