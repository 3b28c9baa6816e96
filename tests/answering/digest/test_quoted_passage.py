"""The full-text passage found first for a question is quoted if no abstract says as much as the paper's passages."""

from dataclasses import replace

import pytest

from pathfinder.answering.digest.digest import DOUBTFUL, NOT_ANSWERED, caution_of, in_place, make_digest
from pathfinder.answering.digest.quoted_papers import ABSENT_SHARE, LONGEST, TYPICAL_MATCH, quoted_passage, support
from pathfinder.answering.grounding.readings import Readings
from pathfinder.models.fake import HashEmbedder
from pathfinder.models.minilm import MiniLM
from pathfinder.types import Digest, DigestForm, Finding, FullTextPassage, Hit, Paper, Score, SectionKind

ABSTRACT = "We survey the dome. It is large."
SENTENCES = [f"Plate number {n} of the roof was cleaned on a quiet afternoon in spring." for n in range(20)]
SENTENCES[9] = "The copper was alloyed with 3 per cent of tin, so that frost does not split it."
TEXT = " ".join(SENTENCES)
QUESTION = "How much tin does the copper of the dome contain against frost?"


def hits_with(text=TEXT, abstract=ABSTRACT, absent_words=()):
    passage = FullTextPassage(text, "2. Roof", SectionKind.METHOD, 4, 1, 0, 0, 0, len(text), 0.5)
    hit = Hit(Paper("a", "The dome", abstract), 0, Score(1.0), full_text=(passage,), absent_words=absent_words)
    return [Readings().with_hits([hit]).read_hit(hit)]


def test_the_sentence_with_the_most_of_the_question_is_quoted_with_those_around_it():
    (hit,) = hits_with()
    finding = quoted_passage(QUESTION, [hit])
    assert SENTENCES[9] in finding.sentence
    assert hit.paper.abstract[finding.start : finding.end] == finding.sentence
    assert LONGEST - 14 < len(finding.sentence.split()) <= LONGEST  # each sentence has up to 16 words


def test_an_abstract_that_says_as_much_is_not_passed_over():
    assert quoted_passage(QUESTION, hits_with(abstract=f"{ABSTRACT} {SENTENCES[9]}")) is None
    bare = [replace(hit, full_text=()) for hit in hits_with()]
    assert quoted_passage(QUESTION, bare) is None


def test_rows_are_quoted_if_they_are_written_as_sentences():
    row = "| Part copper | tin [per cent] 3 | frost no."
    assert quoted_passage(QUESTION, hits_with(f"| Part lead | tin [per cent] 0 | frost yes. {row}")).sentence.endswith(
        row
    )
    assert quoted_passage(QUESTION, hits_with("| tin | copper | frost |\n| 3 | 97 | 0 |")) is None


def test_the_first_passage_is_quoted_if_one_that_can_be_says_more_than_the_abstracts():
    (hit,) = hits_with()
    (best,) = hit.full_text

    def quoted(*texts):
        passages = tuple(replace(best, text=text, end=len(text)) for text in texts)
        bare = replace(hit, paper=replace(hit.paper, abstract=ABSTRACT), full_text=passages)
        return quoted_passage(QUESTION, [Readings().with_hits([bare]).read_hit(bare)])

    beside = "Visitors climb to the top of it on Sundays."
    assert quoted(beside, TEXT).sentence == beside
    assert SENTENCES[9] in quoted("| tin | copper | frost |", TEXT).sentence
    assert quoted(beside, "| tin | copper | frost |") is None


def test_a_passage_of_which_no_sentence_has_most_is_shown_with_its_matching_words_marked():
    text = " ".join(
        [*SENTENCES[:3], "The copper holds.", *SENTENCES[3:8], "There is $t$ of tin.", "No frost splits it."]
    )
    finding = quoted_passage(QUESTION, hits_with(text))
    assert finding.sentence == text
    assert [text[start:end] for start, end in finding.marked] == ["copper", "tin", "frost"]
    (hit,) = hits_with()
    assert quoted_passage(QUESTION, [hit]).marked == ()


def test_a_line_that_is_cut_at_the_end_of_a_passage_has_no_marks():
    text, paper = "Tin is rare.", Paper("a", "The dome", ABSTRACT)
    hit = Hit(
        paper, 0, Score(1.0), full_text=(FullTextPassage(text, "", SectionKind.METHOD, 4, 1, 0, 0, 0, len(text)),)
    )
    readings = Readings().with_hits([hit])
    read = readings.read_hit(hit).paper.abstract
    line = Finding("a", read[-15:], len(read) - 15, len(read), marked=((0, 3), (9, 15)))
    (placed,) = in_place(Digest(DigestForm.VALUES, "", (line,)), {"a": paper}, readings).findings
    assert (placed.sentence, placed.marked) == (text, ())


@pytest.mark.parametrize(("absent", "share"), [((), 0.0), (("tin", "frost"), 2 / 5)])
def test_a_paper_supports_an_answer_by_the_words_that_it_has(absent, share):
    # Subjects: tin, copper, dome, contain, frost.
    (hit,) = hits_with(" ".join(SENTENCES[:9]), absent_words=absent)
    assert support(QUESTION, hit, HashEmbedder()) == pytest.approx(TYPICAL_MATCH - ABSENT_SHARE * share)
    assert support(QUESTION, replace(hit, full_text=()), HashEmbedder()) is None


def test_a_paper_supports_an_answer_that_one_of_its_passages_gives_in_other_words():
    minilm = MiniLM()
    (near,), (far,) = (
        hits_with("The metal on the cupola is bronze, with a little stannum."),
        hits_with("Bees sleep at night."),
    )
    both = replace(far, full_text=(*far.full_text, *near.full_text))
    assert support(QUESTION, near, minilm) == pytest.approx(support(QUESTION, both, minilm))
    assert support(QUESTION, near, minilm) > support(QUESTION, far, minilm) + 0.05


@pytest.mark.parametrize(
    ("absent", "weak", "doubtful", "opening"),
    [
        ((), False, False, None),
        (("tin",), False, True, DOUBTFUL),
        (("tin", "frost"), True, False, NOT_ANSWERED),
    ],
)
def test_the_less_a_paper_supports_an_answer_the_plainer_is_the_doubt(absent, weak, doubtful, opening):
    text = TEXT.replace("of tin", "of it").replace("frost", "ice") if absent else TEXT
    digest = make_digest(QUESTION, hits_with(text, absent_words=absent), HashEmbedder())
    assert (digest.is_weak, digest.is_doubtful, caution_of(digest)) == (weak, doubtful, opening)
