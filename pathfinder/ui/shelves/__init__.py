"""The Shelves page: papers with notes, tags and states, in and out as files, and those that a shelf lacks."""
