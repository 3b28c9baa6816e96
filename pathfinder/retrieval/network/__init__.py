"""A network of hits and their neighbours: links, layout, clusters and main path."""
