"""Tool texts and written requests → the table of meaning that ships in the wheel: `python -m training`."""
