"""Patterns for the authors and years by which texts cite papers: "Riess et al. (2016)"."""

CITED_YEAR = r"(?:1[6-9]|20)\d\d"
"""A year next to an author, in which a paper could have appeared: the first journals date from 1665."""
YEAR_IN_TEXT = r"(?:1[89]|20)\d\d"
"""A year elsewhere in a text, where smaller numbers mostly count or measure something."""
YEARS_IN_TEXT = range(1800, 2100)
"""The years that `YEAR_IN_TEXT` matches."""
YEARS_WITHOUT_UNIT = range(1500, 2101)
"""Whole numbers that are taken for years, not for measurements, if no unit follows."""
ET_AL = r",?\s{1,9}et\s{1,9}al\b\.?"
"""Words after the first author: "Riess et al.", "Riess, et al."."""
