"""Exports from Pathfinder: reference lists, tables, links, JSON and display text."""
