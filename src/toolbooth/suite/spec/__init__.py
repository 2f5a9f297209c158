"""`*.toolbooth.yaml` → a checked suite."""
