"""Evaluate, a page of an add-on, for a link that is the first to be opened after the server has started."""

from pathfinder.ui.shared import frame

frame.enter("evaluate")
