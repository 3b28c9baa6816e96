"""Where papers are looked up: by meaning, by words, by keywords."""
