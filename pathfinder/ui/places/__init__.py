"""The scripts that Streamlit runs: `app.py` at each run, and one of the others for the place that is open."""
