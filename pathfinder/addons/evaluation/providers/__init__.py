"""Literature searches to compare: those of other providers, over the network, and Pathfinder's own."""
