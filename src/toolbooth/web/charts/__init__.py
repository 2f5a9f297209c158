"""Values → inline SVG: one kind of chart a file, drawn once for wide places and once for narrow ones."""
