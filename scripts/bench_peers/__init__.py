"""The same servers and questions for Toolbooth and its peers: what each costs, and how well it finds."""
