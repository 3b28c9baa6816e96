"""Fetches open-access full texts for the papers in a corpus: locate -> fetch -> read in another process -> store."""

from pathfinder.fulltext.fetching.fetch import Guests, fetch_texts

__all__ = ["Guests", "fetch_texts"]
