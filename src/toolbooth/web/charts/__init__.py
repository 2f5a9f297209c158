"""Charts as inline SVG: one kind of chart per file, drawn once for wide places and once for narrow ones."""
