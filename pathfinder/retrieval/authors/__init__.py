"""Authors named in a question, such as "papers by Riess"."""
