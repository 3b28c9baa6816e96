"""A draft checked against the works that it cites."""

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from pathfinder.addons.audit.audit import audit_draft
from pathfinder.addons.audit.claims import citing_sentences
from pathfinder.addons.audit.draft import read_draft
from pathfinder.addons.audit.judging import Judge, WorkVectors
from pathfinder.addons.audit.library import Library
from pathfinder.addons.audit.outcome import Audit, RemarkKind, SentenceVerdict
from pathfinder.addons.audit.writing import describe_audit, remark_lines
from pathfinder.fulltext.document import InTextCitation, Paragraph
from pathfinder.fulltext.store import FullTexts
from pathfinder.settings import LOCAL_EMBEDDER
from pathfinder.types import Paper

SPOTS = Paper(
    "spots",
    "Rotation periods of spotted dwarf stars",
    "We measure the rotation periods of 34030 main-sequence stars observed by Kepler. "
    "We find that the rotation periods of spotted dwarf stars increase with age.",
    authors=("Rivera, Ana",),
    year=2014,
    doi="10.1/spots",
)
WINDS = Paper(
    "winds", "Magnetic braking by stellar winds", "", authors=("Okafor, B.",), year=1967, arxiv_id="2001.00001"
)
RISEN = Paper(
    "risen", "Flares of young stars", "We count flares.", authors=("Lee, C.",), year=2020, journal="ApJ, 900, 1",
    doi="10.1/flares", arxiv_id="2002.00002",
)  # fmt: skip
GONE = Paper("gone", "Planets around spotted stars", "We find.", authors=("Roe, D.",), year=2019, status="retracted")
ERRATUM = Paper("erratum", "Erratum: Rotation periods of spotted dwarf stars", "", year=2015)

BIB = r"""
@article{rivera, title={Rotation Periods of Spotted Dwarf Stars}, author={Rivera, Ana}, year=2014, doi={10.1/spots}}
@article{okafor, title={Magnetic Braking by Stellar Winds}, author={Okafor, B.}, year=1967, journal={ApJ}}
@article{lee, title={Flares of Young Stars}, author={Lee, C.}, year=2020, eprint={2002.00002}, archivePrefix={arXiv}}
@article{roe, title={Planets around Spotted Stars}, author={Roe, D.}, year=2019, journal={MNRAS}}
@article{idle, title={A Paper that Nobody Needs at All}, author={Idle, E.}, year=2001, journal={A\&A}}
"""
TEX = r"""\documentclass{article}
\begin{document}
\title{On spots}
\section{Introduction}
The rotation periods of %s main-sequence stars observed by Kepler are known \citep{rivera}.
Rotation periods of spotted dwarf stars %s with age \citep{rivera}.
Disks live for 3 Myr \citep{okafor}. Flares are frequent \citep{lee,lost}. Planets were claimed \citep{roe}.
\bibliography{refs}
\end{document}
"""


def audit(folder: Path, tex: str = TEX % ("34030", "increase"), bib: str = BIB, spots: Paper = SPOTS) -> Audit:
    (folder / "refs.bib").write_text(bib)
    (folder / "draft.tex").write_text(tex)
    pf: Any = SimpleNamespace(
        corpus=SimpleNamespace(papers=[spots, WINDS, RISEN, GONE, ERRATUM]),
        full_texts=FullTexts(folder),
        sentence_embedder=SimpleNamespace(name="none"),
    )
    return audit_draft(pf, read_draft(folder / "draft.tex"))  # in this process: test_draft.py has another


def test_each_citing_sentence_has_a_verdict_with_the_sentence_of_the_source(tmp_path: Path) -> None:
    first, second, third, *_ = audit(tmp_path).sentences
    assert (first.verdict, second.verdict) == (SentenceVerdict.SUPPORTED,) * 2
    assert (second.evidence[0].paper, second.evidence[0].place) == (SPOTS, "abstract")
    assert second.evidence[0].sentence == "We find that the rotation periods of spotted dwarf stars increase with age."
    assert third.verdict is SentenceVerdict.NO_SOURCE  # the corpus has its title alone


def test_another_number_is_a_fault(tmp_path: Path) -> None:
    first, *_ = audit(tmp_path, TEX % ("35030", "increase")).sentences
    assert first.is_fault
    assert "35030 in the text, 34030 in the source" in first.reasons


def test_a_number_or_a_name_that_another_sentence_of_the_source_has_is_no_fault(tmp_path: Path) -> None:
    abstract = (
        "Rotation periods of 520 cool dwarf stars around NGC 188 are measured. The periods of 480 stars are reliable. "
        "NGC 189 is a control field."
    )
    tex = r"""\begin{document}
\section{Introduction}
Rotation periods of %s cool dwarf stars around %s are measured \citep{rivera}.
\bibliography{refs}
\end{document}
"""

    def is_fault(number: str, name: str) -> bool:
        (sentence,) = audit(tmp_path, tex % (number, name), spots=replace(SPOTS, abstract=abstract)).sentences
        return sentence.is_fault

    assert not is_fault("480", "NGC 188")
    assert not is_fault("520", "NGC 189")
    assert not is_fault("520", "NGC 188 and NGC 187")
    assert is_fault("470", "NGC 188")
    assert is_fault("520", "NGC 187")


@pytest.mark.parametrize(
    ("said", "is_fault"),
    [
        ("within 500 pc of the Sun", False),
        ("within 500 kpc of the Sun", True),
        ("within 300 pc of the Sun", True),
        ("with an offset of 0.032", False),
        ("with an offset of 0.023", True),
        (r"with an offset of $0 \times 10^{5.5}$", False),
    ],
)
def test_a_slip_in_a_digit_or_a_unit_is_a_fault(said: str, is_fault: bool, tmp_path: Path) -> None:
    abstract = "We count young stars in associations within 500 pc of the Sun. The catalogue has an offset of 0.032."
    tex = rf"""\begin{{document}}
\section{{Introduction}}
Others made a catalogue of associations of many kinds that are found {said} \citep{{rivera}}.
\bibliography{{refs}}
\end{{document}}
"""
    (sentence,) = audit(tmp_path, tex, spots=replace(SPOTS, abstract=abstract)).sentences
    assert sentence.is_fault is is_fault


def test_a_contradiction_is_kept_where_another_cited_work_is_missing(tmp_path: Path) -> None:
    tex = (TEX % ("34030", "do not increase")).replace(r"with age \citep{rivera}", r"with age \citep{rivera,lost}")
    sentence = audit(tmp_path, tex).sentences[1]
    assert (sentence.verdict, sentence.is_fault) == (SentenceVerdict.CONTRADICTED, True)
    assert "lost is not in the corpus" in sentence.reasons


def test_what_was_not_looked_for_is_said_and_not_counted_as_none(tmp_path: Path) -> None:
    checked = audit(tmp_path)
    assert checked.suggestions is None
    assert any("not looked for" in note and LOCAL_EMBEDDER in note for note in checked.notes)
    assert "Works to consider: not looked for" in describe_audit(checked)


def test_a_draft_without_references_is_told_so_and_not_that_the_corpus_lacks_its_works(tmp_path: Path) -> None:
    tex = "\\begin{document}\n\\section{Introduction}\nStars spin down with age (Rivera 2020).\n\\end{document}\n"
    (note,) = [note for note in audit(tmp_path, tex).notes if "not looked for" in note]
    assert "no list of references" in note


def test_a_shared_bibliography_is_one_remark_for_people_and_whole_for_programs(tmp_path: Path) -> None:
    shared = "".join(f"@article{{other{n}, title={{Other Matters {n}}}, author={{O, P}}}}\n" for n in range(300))
    checked = audit(tmp_path, bib=BIB + shared)
    (line,) = [line for line in remark_lines(checked) if RemarkKind.NOT_CITED in line]
    assert "301 works" in line
    assert "idle" in line
    assert sum(remark.kind is RemarkKind.NOT_CITED for remark in checked.remarks) == 301


def test_a_key_that_the_bibliography_lacks_is_to_be_looked_at_first(tmp_path: Path) -> None:
    (sentence,) = [each for each in audit(tmp_path).sentences if "lost" in each.cites]
    assert sentence.is_fault
    assert "the bibliography has no entry lost" in sentence.reasons


def test_the_bibliography_is_compared_with_the_text_and_with_the_corpus(tmp_path: Path) -> None:
    remarks = {(remark.kind, remark.key) for remark in audit(tmp_path).remarks}
    assert remarks == {
        (RemarkKind.NO_ENTRY, "lost"),
        (RemarkKind.NOT_CITED, "idle"),
        (RemarkKind.RETRACTED, "roe"),
        (RemarkKind.PUBLISHED, "lee"),
        (RemarkKind.CORRECTED, "rivera"),
    }


def test_a_draft_in_markdown_is_read_with_its_own_list(tmp_path: Path) -> None:
    draft = tmp_path / "draft.md"
    draft.write_text(
        "# On spots\n\n## Introduction\n\nRotation periods of spotted dwarf stars increase with age [1]. So it is.\n\n"
        "## References\n\n[1] Rivera, A. 2014, Rotation periods of spotted dwarf stars, ApJ, 1, 1\n"
    )
    pf: Any = SimpleNamespace(
        corpus=SimpleNamespace(papers=[SPOTS]),
        full_texts=FullTexts(tmp_path),
        sentence_embedder=SimpleNamespace(name="none"),
    )
    (sentence,) = audit_draft(pf, read_draft(draft)).sentences
    assert sentence.verdict is SentenceVerdict.SUPPORTED


def test_a_sentence_is_divided_among_the_works_that_it_cites(tmp_path: Path) -> None:
    tex = TEX.replace(
        "Disks live", "Rotation periods of spotted stars increase with age \\citep{rivera}, and disks live"
    )
    sentence = audit(tmp_path, tex % ("34030", "increase")).sentences[2]
    assert sentence.cites == ("rivera", "okafor")
    assert sentence.verdict is SentenceVerdict.NO_SOURCE


@pytest.mark.parametrize(
    ("said", "is_fault"),
    [
        ("Rotation periods of spotted dwarf stars observed by Kepler increase with age", True),
        ("This chapter is adapted from the rotation periods", False),
    ],
)
def test_a_far_closer_work_is_named_for_a_claim_that_says_something(said: str, is_fault: bool) -> None:
    embedder: Any = SimpleNamespace(embed=lambda texts, _: np.array([[1.0, 0.0]] * len(texts)))
    works = WorkVectors(embedder, {"spots": np.array([1.0, 0.0]), "risen": np.array([0.0, 1.0])})
    library = Library.of((SPOTS, RISEN), FullTexts(Path("nowhere")))
    citation = InTextCitation(len(said), len(said) + 11, ("lee",))
    (citing,) = citing_sentences(Paragraph(f"{said} (Lee 2020).", citations=(citation,)))
    sentence = Judge(library, {"rivera": SPOTS, "lee": RISEN}, None, works).judge(1, citing, "", 0)
    assert sentence.is_fault is is_fault
    assert any("comes much closer" in reason for reason in sentence.reasons) is is_fault
