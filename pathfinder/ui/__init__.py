"""The only subpackage that imports Streamlit; its `address.py` does without it."""
