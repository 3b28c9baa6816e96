"""The map: where the papers in a corpus lie, and how densely packed they are."""
