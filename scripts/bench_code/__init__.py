"""Code compared with single calls: what ten tasks cost an agent in each mode, and the time that running code takes."""
