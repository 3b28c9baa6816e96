"""Shelves: papers that a reader keeps under a name, with notes, tags and a state."""
