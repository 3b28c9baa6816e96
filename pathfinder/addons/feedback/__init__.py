"""Readers' judgements, in the folder PATHFINDER_DATA: export them, learn weights from them, delete them."""
