"""What can be laid over the map, one module a layer: each is a pure function of a survey and of what a reader chose."""
