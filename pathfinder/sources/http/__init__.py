"""Polite HTTP: one pace per host and machine, retries, stored pages, and errors that say what to do."""
