"""Blind studies: two answers or rankings side by side, judged without the names of their makers."""
