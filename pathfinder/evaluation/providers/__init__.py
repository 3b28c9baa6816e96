"""Literature searches to compare: other providers over the network, and our own."""
