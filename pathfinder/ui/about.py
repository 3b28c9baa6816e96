"""Words of the About page that depend on the field of the corpus."""

from pathfinder.profile import Profile
from pathfinder.profile.profile import Bibliography
from pathfinder.text.latex.display import for_markdown

N_TERMS = 3
"""Number of ambiguous terms named as examples."""
_BIBLIOGRAPHIES = {
    Bibliography.ADS: "[ADS](https://ui.adsabs.harvard.edu)",
    Bibliography.NONE: "a bibliographic database of the field",
}


def words_of(profile: Profile) -> dict[str, str]:
    """Return the words for the blanks in `pages/about.md`, as Markdown, keyed by the names of the blanks."""
    terms = [for_markdown(term.term) for term in profile.overloaded_terms[:N_TERMS]]
    phrases = ["after 2015", "in the last five years", *filter(None, [profile.page.years])]
    return {
        "ambiguous": f" ({', '.join(terms)})" if terms else "",
        "years": ", ".join(f'"{for_markdown(phrase)}"' for phrase in phrases),
        "bibliography": _BIBLIOGRAPHIES[profile.services.bibliography],
    }
