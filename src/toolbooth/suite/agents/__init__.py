"""A prompt, a model and a menu of tools → what the agent did."""
