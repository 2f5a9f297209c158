"""Sections of a benchmark's report → sections of its page: words, tables and charts."""
