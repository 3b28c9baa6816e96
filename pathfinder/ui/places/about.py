"""About: what Pathfinder is, how to ask a question, and what its limitations are."""

from pathlib import Path
from string import Template

import streamlit as st

from pathfinder.errors import PathfinderError
from pathfinder.settings import read_settings
from pathfinder.ui import about, as_of
from pathfinder.ui.settings import controls
from pathfinder.ui.shared import panels, resources, visit_corpus

visit_corpus.write_link()

st.title("About Pathfinder")
as_of.whole_corpus()
text = Template((Path(__file__).parent / "about.md").read_text(encoding="utf-8"))
st.markdown(text.substitute(about.words_of(resources.profile(), read_settings())))
try:
    about.what_is_open(resources.whole())
except PathfinderError as error:
    controls.failure(error)
panels.draw("about")
about.plug_ins()
