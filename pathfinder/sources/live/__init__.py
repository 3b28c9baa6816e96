"""Live sources: hosts that a search queries while it runs, all at once and within a single time limit."""
