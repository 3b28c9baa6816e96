"""Can a result be trusted: what lies apart in it, and what shape it has."""
