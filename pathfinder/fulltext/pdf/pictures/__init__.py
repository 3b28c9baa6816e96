"""Recognition of pages from their images, if a file has no text for them."""
