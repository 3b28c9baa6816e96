"""Passages, tokens and titles of papers: made once, added to, left out, and not missed in an old corpus."""

from pathlib import Path

import numpy as np
import pytest

from pathfinder.building.embedding import TEXTS_PER_BATCH, describe_cost, embed
from pathfinder.building.passage_maker import passage_maker_of
from pathfinder.building.passages import check_form
from pathfinder.building.progress import Silent
from pathfinder.corpus.journal import Journal
from pathfinder.corpus.manifest import read_manifest
from pathfinder.corpus.store import open_corpus, verify_corpus
from pathfinder.errors import ModelError, RateLimited, UsageError
from pathfinder.index.token_codecs import MAX_BYTES
from pathfinder.models.fake import HashEmbedder
from pathfinder.models.ports import CostEstimate
from pathfinder.text.sentences import cut_into_passages
from pathfinder.types import Paper
from tests.building.conftest import (
    GALAXIES,
    PLANETS,
    PULSARS,
    Record,
    WordByWord,
    content,
    kill_build,
    without_parts,
    write,
)

pytestmark = pytest.mark.build

SENTENCE = "We measure the faint light of distant stars with the telescope. "
LONG: Record = {"id": "long", "title": "A survey.", "abstract": SENTENCE * 20 + "At last we saw a quokka."}
PASSAGE_ROLES = ("tokens", "passages", "titles")


def parts(folder: Path) -> dict[str, str]:
    return {role: part.name for role, part in read_manifest(folder)[0].parts.items()}


def cosine(vector, other):
    return float(vector @ other / np.linalg.norm(vector) / np.linalg.norm(other))


def test_a_corpus_holds_passages_titles_and_tokens_of_its_papers(make, tmp_path):
    make(GALAXIES, LONG, embedder=WordByWord())
    corpus = verify_corpus(tmp_path / "corpus")
    abstract = str(LONG["abstract"])
    assert corpus.passages.spans[1:].tolist() == [[0, 639], [640, 1304]]
    assert cut_into_passages(abstract) == ((0, 639), (640, 1304))
    (title,) = WordByWord().embed(["A survey."], "document")
    assert cosine(corpus.titles.vectors(np.array([1]))[0], title) == pytest.approx(1, abs=1e-3)
    vectors, _, sentences = corpus.tokens.vectors(1)
    # The title's "survey", then 20 sentences of "measure faint light distant stars telescope", "last", "saw", "quokka".
    assert np.bincount(sentences).tolist() == [1, *[7] * 20, 4]
    (quokka,) = WordByWord().embed_tokens(["quokka"])
    quokkas = cosine(vectors[-1], corpus.tokens.project(quokka.vectors)[1])
    assert quokkas == pytest.approx(1, abs=0.1)  # two bits per dimension
    # A lone passage is the paper itself.
    np.testing.assert_array_equal(corpus.passages.vectors.vectors(np.array([0])), corpus.dense.vectors(np.array([0])))


@pytest.mark.parametrize("embedder", [WordByWord(20), HashEmbedder(384)])
def test_a_passage_is_near_to_its_text_behind_the_title_and_the_end_of_a_text_is_there(make, tmp_path, embedder):
    make(LONG, embedder=embedder)
    corpus = open_corpus(tmp_path / "corpus")
    start, end = cut_into_passages(str(LONG["abstract"]))[-1]
    (direct,) = embedder.__class__(dimension=384).embed([f"A survey. {LONG['abstract'][start:end]}"], "document")
    assert cosine(corpus.passages.vectors.vectors(np.array([1]))[0], direct) > 0.98


@pytest.mark.parametrize(
    ("embedder", "reason"),
    [
        (HashEmbedder(16), "fake:hash-16 provides no token vectors"),
        (WordByWord(dimension=16), "there is no projection for tokens of 16 dimensions"),
    ],
)
def test_papers_without_tokens_that_can_be_kept_have_passages_alone(make, tmp_path, embedder, reason):
    make(LONG, embedder=embedder)
    corpus = open_corpus(tmp_path / "corpus")
    assert (corpus.tokens, corpus.absent["tokens"]) == (None, reason)
    assert len(corpus.passages) >= len(corpus.titles) == 1


def test_the_paper_vectors_are_the_same_with_and_without(make, tmp_path):
    make(GALAXIES, LONG, embedder=WordByWord(20))
    make(GALAXIES, LONG, embedder=WordByWord(20), out="without", passages=False)
    with_them, without = parts(tmp_path / "corpus"), parts(tmp_path / "without")
    assert {role: name for role, name in with_them.items() if role not in PASSAGE_ROLES} == without


def test_a_long_text_takes_no_more_than_16_kilobytes(make, tmp_path):
    words = " ".join(f"word{i}" for i in range(2000))
    papers = [{**LONG, "id": f"p{i}", "abstract": f"{words} {i}."} for i in range(4)]
    make(*papers[:2], embedder=WordByWord(), out="two")
    make(*papers, embedder=WordByWord())
    two, four = (
        sum(entry.length for entry in read_manifest(tmp_path / name)[0].parts["tokens"].files)
        for name in ("two", "corpus")
    )
    assert MAX_BYTES - 100 < (four - two) / 2 <= MAX_BYTES


# Added, completed, left out -----------------------------------------------------------------------------


def test_papers_added_later_give_the_same_pieces_as_papers_built_at_once(make, tmp_path):
    make(GALAXIES, LONG, embedder=WordByWord(20), out="steps")
    embedder = WordByWord(20)
    make(PULSARS, embedder=embedder, out="steps")
    # The text and the title of the only new paper.
    assert embedder.n_documents == 2
    make(GALAXIES, LONG, PULSARS, embedder=WordByWord(20), out="once")
    assert parts(tmp_path / "steps") == parts(tmp_path / "once")


def test_a_corpus_that_left_them_out_says_so_and_has_them_after_another_build(make, tmp_path):
    make(GALAXIES, LONG, embedder=WordByWord(20), passages=False)
    corpus = open_corpus(tmp_path / "corpus")
    assert (corpus.tokens, corpus.passages, corpus.titles) == (None, None, None)
    assert all("build again from the sources without --no-passages" in corpus.absent[role] for role in PASSAGE_ROLES)
    assert make(GALAXIES, LONG, embedder=WordByWord(20)).n_new == 0
    make(GALAXIES, LONG, embedder=WordByWord(20), out="at once")
    assert parts(tmp_path / "corpus") == parts(tmp_path / "at once")
    assert not set(open_corpus(tmp_path / "corpus").absent) & set(PASSAGE_ROLES)


def test_an_old_corpus_opens_and_says_what_is_missing_and_a_build_adds_it_or_leaves_it_out(make, tmp_path):
    make(GALAXIES, embedder=WordByWord())
    without_parts(tmp_path / "corpus", *PASSAGE_ROLES)
    corpus = verify_corpus(tmp_path / "corpus")
    assert (corpus.tokens, corpus.passages, corpus.titles) == (None, None, None)
    assert "too old to have passages: to add them, build again from its sources" in corpus.absent["passages"]
    make(GALAXIES, embedder=WordByWord())
    assert len(open_corpus(tmp_path / "corpus").passages) == 1
    make(GALAXIES, embedder=WordByWord(), passages=False)
    assert not set(parts(tmp_path / "corpus")) & set(PASSAGE_ROLES)


# Stopped ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("n_texts", [3, *(pytest.param(n, marks=pytest.mark.soak) for n in (0, 6))])
def test_a_build_that_is_killed_while_it_cuts_ends_in_the_same_bytes(make, tmp_path, n_texts):
    # Three texts, then three titles, then further windows.
    papers = [PLANETS, LONG, GALAXIES]
    source = write(tmp_path / "papers.jsonl", *papers)
    kill_build("", source, tmp_path / "corpus", f"WordByWord(20, killed_at={n_texts})")
    make(*papers, embedder=WordByWord(20))
    make(*papers, embedder=WordByWord(20), out="undisturbed")
    assert content(tmp_path / "corpus") == content(tmp_path / "undisturbed")


def test_what_was_cut_before_an_error_is_kept_and_the_rest_comes_out_the_same(tmp_path):
    papers = [Paper(f"p{i}", f"Title {i}", f"{LONG['abstract']} {i}.") for i in range(TEXTS_PER_BATCH + 2)]

    class Limited(WordByWord):
        def embed_with_tokens(self, texts, kind):
            if self.n_documents > TEXTS_PER_BATCH and len(texts) == 2:
                raise RateLimited("slow down")
            return super().embed_with_tokens(texts, kind)

    def cut_into(path, embedder):
        passage_maker = passage_maker_of(embedder, None)
        with Journal(path) as journal:
            vectors = np.concatenate(list(embed(papers, embedder, journal, Silent(), passage_maker)))
            return vectors.tobytes(), [
                journal[passage_maker.key(role, paper)] for role in PASSAGE_ROLES for paper in papers
            ]

    with pytest.raises(RateLimited):
        cut_into(tmp_path / "journal", Limited(100))
    rest = WordByWord(100)
    assert cut_into(tmp_path / "journal", rest) == cut_into(tmp_path / "undisturbed", WordByWord(100))
    # For each of two papers: the text, the title and at most two further windows.
    assert rest.n_documents <= 2 * 4


def test_what_is_no_vector_of_a_passage_is_refused(make):
    class Spoilt(HashEmbedder):
        def embed(self, texts, kind):
            return super().embed(texts, kind) * (np.nan if "A survey." in texts else 1)

    with pytest.raises(ModelError, match="or not only numbers"):
        make(LONG, embedder=Spoilt(16))


def test_the_cost_counts_titles_and_passages(tmp_path):
    class Paid(HashEmbedder):
        def estimate(self, texts):
            return CostEstimate(1000 * sum(1 for _ in texts), 0.0, "July 2026")

    papers = [Paper("long", "A survey.", str(LONG["abstract"])), Paper("short", "Discs", "Discs of dust.")]
    with Journal(tmp_path / "journal") as journal:
        passage_maker = passage_maker_of(Paid(8), None)
        # The text, the title and two passages; then the text and the title of a paper that is a single passage.
        assert "(6,000 tokens" in describe_cost(papers, Paid(8), journal, passage_maker)
        assert "(2,000 tokens" in describe_cost(papers, Paid(8), journal)


def test_a_corpus_keeps_its_small_tokens_when_papers_are_added_and_refuses_full_ones(make, tmp_path):
    make(GALAXIES, embedder=WordByWord(), tokens="small")
    make(GALAXIES, LONG, embedder=WordByWord())
    corpus = verify_corpus(tmp_path / "corpus")
    assert corpus.manifest.form_of_tokens == "small"
    assert np.bincount(corpus.tokens.vectors(1)[2]).tolist() == [1, *[7] * 20, 4]  # as in full
    before = parts(tmp_path / "corpus")
    with pytest.raises(UsageError, match=r"small.*full.*--token-vectors"):
        make(GALAXIES, PLANETS, embedder=WordByWord(), tokens="full")
    assert parts(tmp_path / "corpus") == before


def test_a_corpus_of_full_tokens_refuses_small_ones(pf):
    with pytest.raises(UsageError, match=r"full.*small.*--token-vectors"):
        check_form(pf.corpus, "small")
    check_form(pf.corpus, "full")


def test_there_are_no_small_tokens_for_an_embedder_without_tokens(make, tmp_path):
    with pytest.raises(UsageError, match=r"only with .*leave out --token-vectors small"):
        make(GALAXIES, tokens="small")
    assert not (tmp_path / "corpus" / "manifest.json").exists()
