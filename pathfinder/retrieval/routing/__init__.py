"""Question routing: the category of a question, its flags, and the settings recommended for it."""
