"""Agents under test: a model, a menu of tools, and the loop that lets the model call them."""
