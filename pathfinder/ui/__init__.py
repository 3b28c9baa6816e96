"""The only subpackage that imports Streamlit; `shared/address.py` does not need it."""
