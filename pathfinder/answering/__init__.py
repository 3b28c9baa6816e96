"""Turns the hits of a search into an answer in which each sentence cites its papers."""
