"""Schemas for records as the hosts of papers write them; the readers of files and of live sources share them."""
