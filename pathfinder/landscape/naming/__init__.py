"""Names of places on the map."""
