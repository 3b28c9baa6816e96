"""The map as it is stored on disk and held in memory."""
