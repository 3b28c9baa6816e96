"""Questions about papers instead of skies, as queries for the Astrophysics Data System (ADS)."""
