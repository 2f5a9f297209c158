"""The command line: one file or folder a command; `main` is the table of contents."""
