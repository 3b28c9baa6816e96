"""What version 0.1.0 promised to programs, links and corpora, recorded from it and kept by every later version; of
0.2.0, the commands and options that it added.

`record.py` wrote the expectations; `compare.py` says what of an output is prose, and so may change.
A change that must break one of them changes that one expectation, and `CHANGELOG.md` says so.
"""
