"""Compare answers or rankings in pairs without knowing which is which; studies are stored in PATHFINDER_DATA."""
