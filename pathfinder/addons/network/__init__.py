"""The papers found and their neighbours as a network of citations or likeness, with its main path."""
