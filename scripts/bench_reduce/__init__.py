"""The costs and savings of reducing answers: speed, small answers, and how many questions the rest still answers."""
