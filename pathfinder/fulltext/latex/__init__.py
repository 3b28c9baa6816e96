"""Reads LaTeX sources as arXiv delivers them."""
