"""Blind judging on the page."""
