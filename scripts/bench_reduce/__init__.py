"""What reducing answers costs and saves: speed, small answers, and what can still be told from the rest."""
