"""Findings that disagree among the papers found, with both sentences."""
