"""The Shelves page: papers with notes, tags and states; import and export; and papers that a shelf lacks."""
