"""Schemas for records as written by the hosts of papers; readers of files and live sources share them."""
