from pathlib import Path

import pytest

from pathfinder.answering.settings import AnswerSettings
from pathfinder.retrieval.factors.settings_table import settings_rows, settings_table
from pathfinder.types.settings import settings_of

DOCS = Path(__file__).parents[1] / "docs"
ANSWERS = "\n".join((*settings_rows(settings_of(AnswerSettings)), ""))


@pytest.mark.parametrize(
    ("name", "tables"), [("search_settings.md", settings_table()), ("answer_settings.md", ANSWERS)]
)
def test_the_docs_have_the_table_of_settings_as_it_is_declared(name: str, tables: str):
    written = (DOCS / name).read_text(encoding="utf-8")
    assert written.endswith(tables), f"replace the tables of docs/{name} by\n\n{tables}"
