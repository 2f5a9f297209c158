"""Toolbooth and its peers on the same servers and questions: what each costs, and how well it finds tools."""
