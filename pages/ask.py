"""The first visit to a server at /ask: the whole page, which draws that place."""

import runpy

from pathfinder.ui.shared.frame import script

runpy.run_path(script("app"))
