"""Descriptions of the map in plain language."""
