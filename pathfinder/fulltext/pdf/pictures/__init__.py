"""Recognition of pages from their pictures, if a file has no text for them."""
