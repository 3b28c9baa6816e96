"""Literature searches side by side: those of other providers over the network, and our own."""
