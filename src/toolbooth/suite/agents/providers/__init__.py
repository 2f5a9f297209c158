"""Real models over their providers' own packages: keys, clients, messages, faults, retries, prices."""
