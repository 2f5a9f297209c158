"""Models of real providers, over the providers' own packages: keys, clients, messages, faults and retries."""
