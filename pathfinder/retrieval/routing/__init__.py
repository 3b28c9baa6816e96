"""Question routing: the category of a question, its flags, and the settings advised for it."""
