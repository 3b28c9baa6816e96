"""The map: where the papers of a corpus lie, and how densely packed they are."""
