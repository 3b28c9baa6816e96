from pathlib import Path

from pathfinder.retrieval.factors.settings_table import settings_table

DOCS = Path(__file__).parents[1] / "docs" / "search_settings.md"


def test_the_docs_have_the_table_of_settings_as_it_is_declared():
    tables = settings_table()
    assert DOCS.read_text(encoding="utf-8").endswith(tables), f"replace the tables of docs/{DOCS.name} by\n\n{tables}"
