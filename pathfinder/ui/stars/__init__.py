"""Stars that put papers on a shelf wherever papers appear, and where a visitor's shelves are stored."""
