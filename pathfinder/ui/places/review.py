"""Review: from papers to a text, step by step; add-ons bring most of the steps."""

from pathfinder.ui import pages
from pathfinder.ui.shared import resources, visit_corpus
from pathfinder.ui.shared.panels import Panel
from pathfinder.ui.writing import panel


def draft() -> None:
    """Draw a review drafted from the papers on a shelf, section by section, with a paper behind every sentence."""
    visit_corpus.write_link()
    panel.panel(resources.pathfinder())


pages.draw("review", {"draft": Panel(60, "Draft", ":material/edit_document:", draft)})
