"""A topic year by year: papers, first mentions of terms, values and consensus, as a figure, a command and JSON."""
