import json
from pathlib import Path

import pytest

from pathfinder import ModeName, Pathfinder, SearchRequest, Settings, Specialisation, Weighting
from pathfinder.answering.grounding.sources import CitationRegistry
from pathfinder.corpus.keywords import KeywordExtractor
from pathfinder.corpus.store import open_corpus
from pathfinder.errors import MissingKey, ModelError, UsageError
from pathfinder.models.fake import Reply, ScriptedChat
from pathfinder.types import Likeness
from tests.retrieval.results import ids

QUESTION = "What is the value of the Hubble constant?"
NO_SETTINGS = Settings(_env_file=None)


def with_chat(pf: Pathfinder, *replies: str | Reply) -> Pathfinder:
    return Pathfinder(pf.corpus, pf.embedder, KeywordExtractor.load(), ScriptedChat(replies))


# Bad input --------------------------------------------------------------------------------------------


def test_a_setting_that_no_search_has_is_named(pf: Pathfinder) -> None:
    with pytest.raises(UsageError, match="height, limit"):
        pf.search(QUESTION, limit=5, height=1)


def test_a_question_has_at_most_20_000_characters() -> None:
    assert len(SearchRequest("a" * 20_000).query) == len(Likeness(text="a" * 20_000).text) == 20_000
    with pytest.raises(UsageError, match=r"the question has 20,001 characters, but at most 20,000 are allowed"):
        SearchRequest("a" * 20_001)
    with pytest.raises(UsageError, match=r"the example text has 20,001 characters"):
        Likeness(text="a" * 20_001)


def test_a_long_follow_up_is_not_sent_to_a_chat_model(pf: Pathfinder) -> None:
    with pytest.raises(UsageError, match="20,001 characters"):
        pf.follow_up((QUESTION,), "a" * 20_001)


# What it does ------------------------------------------------------------------------------------------


def test_the_settings_of_a_request_can_be_given_apart_or_changed(pf: Pathfinder) -> None:
    request = SearchRequest(QUESTION, top_k=3, year_from=2000)
    assert ids(pf.search(QUESTION, top_k=3, year_from=2000)) == ids(pf.search(request))
    assert len(pf.search(request, top_k=5).hits) == 5


def test_a_result_is_assessed_also_after_it_was_weighed_again(pf: Pathfinder) -> None:
    result = pf.search(QUESTION)
    again = pf.reweigh(result, Weighting(recency=1))
    assert result.assessment is not None
    assert again.assessment is not None
    assert all(hit.outlier is not None for hit in (*result.hits, *again.hits))


def test_weighing_again_embeds_nothing(golden_corpus: Path, pf: Pathfinder) -> None:
    class Once:
        """Embeds as the other does, one time."""

        name, dimension, max_tokens = pf.embedder.name, pf.embedder.dimension, pf.embedder.max_tokens
        is_cut = pf.embedder.is_cut
        left = 1

        def embed(self, texts, kind):
            self.left -= 1
            assert self.left == 0
            return pf.embedder.embed(texts, kind)

    own = Pathfinder(open_corpus(golden_corpus), Once(), KeywordExtractor.load())
    result = own.search(QUESTION)
    assert ids(own.reweigh(own.reweigh(result, Weighting(1, 1, 1)), Weighting())) == ids(result)


def test_a_chat_model_answers_from_the_papers(pf: Pathfinder) -> None:
    result = pf.search(QUESTION, top_k=2)
    first, second = map(CitationRegistry(QUESTION).with_papers([hit.paper for hit in result.hits]).key, ids(result))
    own = with_chat(pf, f"It is near 72 km/s/Mpc [{first}], says one [{second}].")
    answer = own.answer(result)
    assert answer.text == "It is near 72 km/s/Mpc [1], says one [2]."
    assert set(answer.claims[0].citations) == set(ids(result))
    ((_, prompt),) = own.chat.received
    assert all(hit.paper.title in prompt for hit in result.hits)


def test_mode_and_style_are_other_names_for_two_settings_of_an_answer(pf: Pathfinder) -> None:
    result = pf.search(QUESTION, top_k=2)
    by_glossary = pf.answer(result, mode=ModeName.EXTRACTIVE, style=Specialisation.MULTI_PAPER)
    assert by_glossary.text == pf.answer(result, generation=ModeName.EXTRACTIVE).text
    with pytest.raises(UsageError, match="mode and generation are names of the same setting: leave one out"):
        pf.answer(result, mode=ModeName.EXTRACTIVE, generation=ModeName.EXTRACTIVE)


def test_an_answer_comes_piece_by_piece(pf: Pathfinder) -> None:
    own = with_chat(pf, "It is near 72 [z9z9z].")
    assert "".join(own.stream_answer(own.search(QUESTION))) == "It is near 72 [z9z9z?]."


def test_a_chat_model_of_the_settings_is_not_touched_before_it_is_asked(golden_corpus: Path) -> None:
    own = Pathfinder.open(golden_corpus, settings=Settings(_env_file=None, chat_model="openai:some-model"))
    assert own.search(QUESTION).hits


def test_an_embedder_that_is_not_here_is_told(golden_corpus: Path, tmp_path: Path) -> None:
    copy = tmp_path / "corpus"
    copy.mkdir()
    for path in golden_corpus.iterdir():
        (copy / path.name).symlink_to(path)
    manifest = (golden_corpus / "manifest.json").read_text(encoding="utf-8")
    (copy / "manifest.json").unlink()
    other = {**json.loads(manifest), "embedder": "local:other", "checksum": None}
    (copy / "manifest.json").write_text(json.dumps(other), encoding="utf-8")
    with pytest.raises((ModelError, UsageError), match="other"):
        Pathfinder.open(copy, settings=NO_SETTINGS)


def test_a_reranker_is_loaded_when_a_search_asks_for_it_and_once(golden_corpus: Path) -> None:
    load = Pathfinder.open(golden_corpus, settings=NO_SETTINGS).models.load_reranker
    assert load is not None
    assert load("fake:words") is load("fake:words")
    with pytest.raises(MissingKey, match="COHERE_API_KEY"):
        load("cohere:rerank-v3.5")


# Rewriting ---------------------------------------------------------------------------------------------


def test_an_answer_is_told_anew_compared_and_its_call_is_counted(pf: Pathfinder) -> None:
    answer = pf.answer(pf.search(QUESTION))
    rewritten = with_chat(pf, answer.text.replace("[1]", "[9]")).rewrite(answer, language="Spanish")
    assert any(change.text == "[9?]" for change in rewritten.fidelity.added)
    assert [call.purpose for call in rewritten.calls] == ["rewrite"]
