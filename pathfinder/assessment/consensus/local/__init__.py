"""Stances guessed without a chat model: their accuracy is measured, they are marked as guesses, and they are never
counted.
"""
