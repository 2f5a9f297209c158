"""Slimming: the same JSON Schema in fewer tokens."""

from toolbooth.economics.slimming.slimmer import Noise, Slimmed, noise, slim, slimmed

__all__ = ["Noise", "Slimmed", "noise", "slim", "slimmed"]
