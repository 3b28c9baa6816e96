"""Recognition of pages from their pictures, where a file has no text for them."""
