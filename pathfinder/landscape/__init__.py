"""The map: where the papers in a corpus lie, and how densely they are packed."""
