"""One file a verb; `main` is the table of contents."""
