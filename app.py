"""Pathfinder in the browser: `streamlit run app.py`. `pathfinder app` runs the same from an installed package."""

import runpy

from pathfinder.ui.shared.scripts import script

runpy.run_path(script("app"))
