"""Figures from plain data (Plotly)."""
