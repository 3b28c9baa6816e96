"""Live sources: hosts that a search asks while it runs, all at once and within a single time limit."""
