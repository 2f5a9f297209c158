"""`toolbooth test` as a user runs it: suites, recordings, gates, reports and bad input."""
