"""Stances guessed without a chat model: their accuracy has been measured, they are marked as guesses, and they are
never counted.
"""
