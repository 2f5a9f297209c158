"""Code against single calls: what ten tasks cost an agent three ways, and what running code costs in time."""
