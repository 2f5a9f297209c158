"""The embedded implementation of the store: SQLite files of one user, shared by any number of processes."""
