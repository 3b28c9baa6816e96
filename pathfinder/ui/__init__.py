"""The only room that knows Streamlit; `address.py` alone does without it."""
