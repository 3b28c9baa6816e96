"""Whatever the papers, a digest of any form consists of their own words, or says why there is none."""

import pytest

from pathfinder.answering.digest.digest import NOTHING_TO_QUOTE, quote
from pathfinder.models.fake import HashEmbedder
from pathfinder.types import DigestForm, Hit, Paper, Score
from pathfinder.ui.answer.digest_panel import digest_html, digest_lines

EMBEDDER = HashEmbedder(64)
SENTENCE = "The mass of the bright galaxy SDSS J1 is 3 +/- 1 solar masses in our survey. "
CORPORA = {
    "one paper": [SENTENCE],
    "French": ["La masse de la galaxie est de 67,4 masses solaires. Nous la mesurons avec le code SKIRT."] * 2,
    "broken LaTeX": [r"The mass is $10^{11 M_\odot in {all \frac{1}{ galaxies $$. It is \alpha^. ", SENTENCE],
    "20,000 characters": [SENTENCE * (20_000 // len(SENTENCE) + 1)],
    "hostile": ["The mass of a galaxy is <img src=x onerror=alert(1)> [3](javascript:x) 5 solar masses. `|`", SENTENCE],
    "no sentence": ["...", "\n\n", "?", "Methods:"],
    "no sentence in the first": ["...", "Aims.", SENTENCE],
}
QUESTIONS = (
    "What is the mass of a galaxy?",
    "Which codes measure galaxies?",
    "Is the mass of galaxies large?",
    "Why do galaxies have mass?",
    "Who measured the mass of galaxies, and when?",
)


def hits(abstracts):
    papers = [Paper(f"p{n}", "On the mass of galaxies", text) for n, text in enumerate(abstracts)]
    return [Hit(paper, row, Score(0.0)) for row, paper in enumerate(papers)]


@pytest.mark.parametrize("form", [None, *DigestForm])
@pytest.mark.parametrize("corpus", CORPORA)
def test_every_line_is_quoted_from_its_paper_and_no_markup_is_active(corpus, form):
    search_result = hits(CORPORA[corpus])
    papers = {hit.paper.paper_id: (n, hit.paper) for n, hit in enumerate(search_result, start=1)}
    for question in QUESTIONS:
        digest = quote(question, search_result, EMBEDDER, form).digest
        assert digest is not None
        for finding in digest.findings:
            assert papers[finding.paper_id][1].abstract[finding.start : finding.end] == finding.sentence
        if digest.findings:
            page_html = digest_html(digest, digest_lines(digest, papers))
            assert "<img" not in page_html
            assert '<a class="source"' in page_html


@pytest.mark.parametrize("form", [None, *DigestForm])
def test_a_corpus_of_titles_says_that_there_is_nothing_to_quote(form):
    for question in QUESTIONS:
        quotation = quote(question, hits(["", ""]), EMBEDDER, form)
        assert quotation.claims == ()
        assert quotation.text.endswith(NOTHING_TO_QUOTE)
