"""Toolbooth weighs a tool surface, cuts its cost, proves the cut is safe, and holds the line in CI."""

__version__ = "0.1.0"
