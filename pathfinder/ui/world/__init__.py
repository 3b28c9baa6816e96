"""The World page: the map for the general public, also usable as a kiosk."""
