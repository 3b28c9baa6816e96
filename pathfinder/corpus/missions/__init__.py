"""Missions and facilities: the catalogue, and a matcher that finds those mentioned in a text."""
