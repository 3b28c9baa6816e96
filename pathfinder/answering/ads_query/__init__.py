"""Turns questions about papers into queries for the Astrophysics Data System (ADS), and checks these queries."""
