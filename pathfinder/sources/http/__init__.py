"""Polite HTTP: for each host a pace that all processes on a machine share, retries, stored pages, and errors that say
what to do.
"""
