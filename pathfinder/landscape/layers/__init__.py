"""The layers that can be laid over the map: each is a module that declares a `LayerKind` and is found automatically."""
