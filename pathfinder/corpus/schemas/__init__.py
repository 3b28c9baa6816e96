"""Schemas for records as the hosts of papers write them, shared by file readers and live sources."""
