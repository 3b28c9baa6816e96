"""The papers of a result, as a list or a table, each with its passages and the parts of its score."""
