"""Layout of pages: from glyphs to lines, columns and blocks."""
