"""The layers that can be laid over the map. Each is a module that declares a `LayerKind`; it is found automatically."""
