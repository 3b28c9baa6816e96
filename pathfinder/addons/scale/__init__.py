"""Papers embedded in several processes or on several machines, and lakes of papers with their vectors."""
