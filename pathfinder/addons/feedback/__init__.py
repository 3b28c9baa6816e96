"""Readers' judgements, in the folder PATHFINDER_DATA: export them, count them, delete them."""
