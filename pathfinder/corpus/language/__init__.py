"""How the English of scientists is taken apart: words, their forms, parts of speech, phrases and names."""
