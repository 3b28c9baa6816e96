"""The phrases of papers and the keywords of questions."""

from pathfinder.corpus.keywords import KeywordExtractor


def test_the_phrases_of_a_paper_come_best_first():
    phrases = KeywordExtractor.load().phrases(
        "Bursty star formation in reionization-era galaxies. We report star formation histories of 51 galaxies."
    )
    assert phrases[0] == "Bursty star formation"
