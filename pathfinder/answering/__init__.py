"""Turns the hits of a search into an answer in which every sentence cites its papers."""
