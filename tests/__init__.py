"""What holds Pathfinder to its word. A package, so that no installed `tests` is taken for it."""
