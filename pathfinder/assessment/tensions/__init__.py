"""Tensions: findings of two papers on one quantity or statement that disagree."""
