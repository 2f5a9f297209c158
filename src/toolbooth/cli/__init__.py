"""The command line: one file or folder for each command; `main` is the table of contents."""
