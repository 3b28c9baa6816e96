"""The Hypotheses page."""
