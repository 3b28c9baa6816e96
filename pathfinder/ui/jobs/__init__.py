"""Background jobs of one visitor."""
