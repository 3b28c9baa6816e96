"""Live sources: hosts that a search asks while it runs, side by side and within one time limit."""
