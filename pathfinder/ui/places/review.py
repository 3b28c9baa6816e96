"""Review: from papers to a text, step by step; every step comes from an add-on."""

from pathfinder.ui import pages

pages.draw("review", {})
