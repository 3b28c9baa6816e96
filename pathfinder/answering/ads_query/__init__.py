"""Turn questions about papers into queries for the Astrophysics Data System (ADS), and check such queries."""
