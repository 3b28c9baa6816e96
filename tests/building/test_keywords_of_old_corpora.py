"""A corpus that 0.1.0 built does not search keywords; building again adds that, and embeds no paper again."""

from pathlib import Path

import pytest

from pathfinder.building import build
from pathfinder.corpus.store import open_corpus
from pathfinder.facade import Pathfinder
from pathfinder.models.minilm import MiniLM
from pathfinder.retrieval.lookup.indexes import found_by_keywords
from pathfinder.settings import Settings
from pathfinder.types import RetrievalMode
from tests.contract.workspace import fill

pytestmark = pytest.mark.build

SECOND = "varroa mite"
"""A keyword of a paper on treatments, whose title and abstract hold only one of the two words."""


@pytest.fixture(scope="module")
def old(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return fill(tmp_path_factory.mktemp("old"))


def test_keywords_are_missing_until_the_corpus_is_built_again(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, embedded = old / "bees", []
    before = open_corpus(folder)
    assert before.lacks_keywords
    assert "build again from its sources" in before.absent["keywords"]
    assert not before.sparse.has_keywords
    embed = MiniLM.embed
    monkeypatch.setattr(MiniLM, "embed", lambda self, texts, kind: embedded.extend(texts) or embed(self, texts, kind))
    source = old / "some.jsonl"
    source.write_text("\n".join((old / "bees.jsonl").read_text(encoding="utf-8").splitlines()[:5]), encoding="utf-8")
    build([source], folder, MiniLM())
    after = open_corpus(folder)
    assert "keywords" not in after.absent
    assert after.sparse.has_keywords
    assert after.manifest.parts["dense"] == before.manifest.parts["dense"]
    assert not {paper.text for paper in after.papers} & set(embedded)


def test_a_paper_is_said_to_be_found_by_keywords_only_where_they_were_searched(old: Path) -> None:
    pf = Pathfinder.open(old / "bees", settings=Settings(_env_file=None))
    result = pf.search(SECOND)
    found = {hit.paper.paper_id: found_by_keywords(result, hit.paper) for hit in result.hits}
    assert found["bee-08"] == (SECOND,)
    by_meaning = pf.search(SECOND, sides=RetrievalMode.DENSE)
    assert not any(found_by_keywords(by_meaning, hit.paper) for hit in by_meaning.hits)
