"""The kinds of sources, one module each."""
