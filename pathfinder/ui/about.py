"""Words of the About page that depend on the field of the corpus and on the settings of the server."""

from pathfinder.profile import Profile
from pathfinder.profile.profile import Bibliography
from pathfinder.settings import Settings
from pathfinder.text.latex.display import for_markdown

N_TERMS = 3
"""Number of ambiguous terms named as examples."""
LOGGED = "It is not logged, but questions sent to this server's API are."
COPIED = " It is copied to a private data set of this server's owner on the Hugging Face Hub."
MODERATED = " but your question, which OpenAI's moderation checks first,"
_BIBLIOGRAPHIES = {
    Bibliography.ADS: "[ADS](https://ui.adsabs.harvard.edu)",
    Bibliography.NONE: "a bibliographic database of the field",
}


def words_of(profile: Profile, settings: Settings) -> dict[str, str]:
    """Return the words for the blanks in `pages/about.md`, as Markdown, keyed by the names of the blanks."""
    terms = [for_markdown(term.term) for term in profile.overloaded_terms[:N_TERMS]]
    phrases = ["after 2015", "in the last five years", *filter(None, [profile.page.years])]
    return {
        "ambiguous": f" ({', '.join(terms)})" if terms else "",
        "years": ", ".join(f'"{for_markdown(phrase)}"' for phrase in phrases),
        "questions": LOGGED if settings.log != "off" and settings.keep_questions else "It is not logged.",
        "copied": COPIED if settings.feedback_data_set and settings.hf_token is not None else "",
        "moderation": MODERATED if settings.moderation == "openai" else "",
        "bibliography": _BIBLIOGRAPHIES[profile.services.bibliography],
    }
