"""Bridges and their environments → gateways, one set of backends per user; no door, for the bridge passes here."""
