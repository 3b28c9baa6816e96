"""Tensions: findings from two papers that disagree on one quantity or statement."""
