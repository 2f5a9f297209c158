"""The sections of the page, one for each section of a benchmark report: words, tables and charts."""
