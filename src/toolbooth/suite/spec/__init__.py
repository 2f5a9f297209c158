"""Suite files, `*.toolbooth.yaml`: their keys, and how they are read and checked."""
