"""Stars that put papers on a shelf wherever papers appear, and the storage of a visitor's shelves."""
