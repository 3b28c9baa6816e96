"""What leaves Pathfinder: reference lists, tables, links, and text as a reader expects it."""
