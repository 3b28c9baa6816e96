"""The indexes that find papers by meaning, by words and by keywords."""
