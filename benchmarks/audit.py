"""Measures `pathfinder audit` on real papers in LaTeX: planted faults, untouched sentences, hidden references.

    python benchmarks/audit.py pool CHECKOUTS POOL.jsonl            the works of all their bibliographies, merged
    pathfinder build POOL.jsonl --out CORPUS --no-passages
    python benchmarks/audit.py texts CHECKOUTS CORPUS               full texts of those papers that the pool has
    python benchmarks/audit.py faults CHECKOUTS CORPUS [HALF [MAIN]]   planted faults and untouched sentences
    python benchmarks/audit.py statements CHECKOUTS CORPUS [HALF]   statements written by hand, right and wrong
    python benchmarks/audit.py hidden CHECKOUTS CORPUS [held-out]   hidden references

CHECKOUTS holds a folder OWNER+NAME for each repository of `benchmarks/AUDIT.md`; HALF is held-out, new, fresh, last or
drawn.
Kinds of faults, and what may be planted where, were written down before anything was measured; the held-out half is
for one look at the end.
"""

import io
import json
import random
import re
import sys
import tarfile
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

from pathfinder import Pathfinder
from pathfinder.addons.audit.audit import audit_draft, vectors_of_works
from pathfinder.addons.audit.claims import citing_sentences, without_citations
from pathfinder.addons.audit.draft import Draft, read_draft
from pathfinder.addons.audit.judging import Judge, WorkVectors
from pathfinder.addons.audit.library import TITLE, Library, Records
from pathfinder.addons.audit.outcome import Audit, DraftParagraph, RemarkKind, SentenceVerdict
from pathfinder.addons.audit.suggestions import BEST, SHORTEST, Titles, suggestions
from pathfinder.assessment.evidence.claim_check import SentenceVectors
from pathfinder.corpus.merging.rule import Finder
from pathfinder.corpus.readers.bibtex import read_bibtex_records
from pathfinder.corpus.readers.reader import RejectedRow
from pathfinder.corpus.schemas.bibtex_entry import bibtex_paper
from pathfinder.corpus.schemas.fields import Unusable
from pathfinder.corpus.store import open_corpus
from pathfinder.export.references import authors_in_text
from pathfinder.fulltext.document import InTextCitation, Paragraph, Reference, Section
from pathfinder.fulltext.formats import read_document
from pathfinder.fulltext.store import NewText, add
from pathfinder.index.words import QUESTION_STOP_WORDS, stems
from pathfinder.index.words import words as words_of
from pathfinder.settings import Settings
from pathfinder.text.sentences import split_sentences
from pathfinder.types import Paper
from pathfinder.types.full_texts import SectionKind

THESIS = "bmorris3+phdthesis"
TUNING = {
    "probabilistic stellar rotation periods": "RuthAngus+GProtation/documents/ms.tex",
    "Scalable Gaussian Process Modeling": "dfm+celerite/paper/ms.tex",
    "Photometric Survey. I.": "lgbouma+cdips/paper_I/ms.tex",
    "Gyrochronology using Kepler asteroseismic": "RuthAngus+Gyro/gyro_paper/Gyro_paper.tex",
    "Behemoth": "lgbouma+rudolf/papers/paper/ms.tex",
}
HELD_OUT = {
    "toward precise stellar ages": "RuthAngus+stardate/paper/master.tex",
    "500 parsec halo": "lgbouma+earhart/cluster_paper/ms.tex",
    "38 Million Year Old Neptune": "lgbouma+rudolf/papers/paper_kep1627/paper/ms.tex",
    "evolution of stellar rotation using Galactic kinematics": "RuthAngus+kinematics-and-rotation/paper/ms63.tex",
    "population of long-period transiting": "dfm+peerless/document/ms.tex",
}
NEW = {
    "TOI 837": "lgbouma+timmy/paper/ms.tex",
    "WASP-4b Arrived": "lgbouma+WASP-4b_anomaly/paper/ms.tex",
    "Complex Periodic Variables": "lgbouma+cpv/papers/Bouma_2024_CPVs/paper/ms.tex",
    "Rotating Stars from Kepler Observed with Gaia DR1": "jradavenport+gaia_rot/paper/ms.tex",
    "Ages of Stars and Planets in the Kepler Field": "lgbouma+gyrojo/papers/paper/ms.tex",
}
FRESH = {
    "Biases in Planet Occurrence": "lgbouma+binary_biases/paper/main.tex",
    "communicating civilizations": "mlares+OTHER_paper/manuscript.tex",
    "galaxies in Stripe 82": "maratmus+apjs_paper/ms.tex",
    "force-free magnetospheres": "zhenpan+FF-GS/paper/ms.tex",
    "Magnetic inhibition of convection": "gfeiden+MagneticUpperSco/paper/ms.tex",
}
LAST = {
    "transition near the inner edge": "matiscke+hz-inner-edge-discontinuity/src/tex/ms.tex",
    "origin of life": "matiscke+originsoflife/src/tex/ms.tex",
    "Hot-mode accretion": "zhafen+Hot-Accretion-in-FIRE/main.tex",
    "a thesis on feedback": "bwkeller+PhD-Thesis/thesis.tex",
    "flares of young stars": "gmduvvuri+young-stellar-flares/src/tex/ms.tex",
    "the merger Gaia-Sausage-Enceladus": "TobiBu+GSE_merger/src/tex/ms.tex",
    "metallicity-dependent star formation": "sashalvna+SFRD_fit/src/tex/article.tex",
    "a thesis on light curves": "fbartolic+thesis/src/tex/ms.tex",
    "white dwarf binaries": "katiebreivik+hush/src/tex/ms.tex",
    "the third interstellar object": "3I-ATLAS+discovery-paper/src/tex/ms.tex",
    "ASASSN-21js": "mkenworthy+ASASSN-21js/src/tex/ms.tex",
    "delay times of supernovae": "lodubay+galactic-dtd/src/tex/ms.tex",
}
DRAWN = {
    "a thesis on quasars": "Morhc+Masters-Thesis/ThesisMain.tex",
    "the epoch of reionization": "adampbeardsley+MWA_EoR_sem1_z7/ms.tex",
    "feedback in dwarf galaxies": "aemerick+Papers/Emerick+2019/main.tex",
    "spectral sirens": "afarah18+spectral-sirens-with-GPs/src/tex/ms.tex",
    "maps of Io": "fbartolic+volcano/paper/paper.tex",
    "gas and bars": "gusbeane+gasbar/paper/ms.tex",
    "an atlas of galaxies": "moustakas+sgapaper/tex/ms.tex",
    "old stars as sources of ionization": "nell-byler+pagb-paper/main.tex",
    "shielding of hydrogen": "thinhhn2+H2_self_shielding_paper/sample631.tex",
    "counterparts of a merger": "tomas-cabrera+GW-MMADS_S230922g/tex/GW-MMADS_S230922g.tex",
}
OTHER_TEXTS = {
    "Rotating Stars from Kepler Observed with Gaia DR1": "jradavenport+gaia_rot/paper/ms.tex",
    "emcee: the MCMC": "dfm+emcee/document/ms.tex",
    "Exoplanet Population Inference and the Abundance": "dfm+exopop/document/ms.tex",
    "status of the v2.0 core": "astropy+astropy-v2.0-paper/main.tex",
    "Starspots of HAT-P-11": f"{THESIS}/stsp_hat_p_11/accepted.tex",
    "Chromospheric Activity of HAT-P-11": f"{THESIS}/sindex/arxiv.tex",
    "Bright Starspots on TRAPPIST": f"{THESIS}/trappist1_bright/arxiv.tex",
    "the solar benchmark: rotational": f"{THESIS}/howard/main.tex",
    "Robust transiting exoplanet radii": f"{THESIS}/robin/main.tex",
    "Plages Co-located": f"{THESIS}/nephelion/main.tex",
    "activity cycles in Gaia": f"{THESIS}/gaia/arxiv.tex",
    "astroplan: An Open Source": f"{THESIS}/astroplan/arXiv.tex",
    "TOI 837": "lgbouma+timmy/paper/ms.tex",
    "WASP-4b Arrived": "lgbouma+WASP-4b_anomaly/first_paper/ms.tex",
}
"""Words of its title, and main file, of each paper, all on stars and planets in light curves of Kepler and TESS."""


# The corpus.


def pool(checkouts: Path, out: Path) -> None:
    """Write the works of all bibliographies, each once."""
    finder, works = Finder(), dict[str, Paper]()
    for path in sorted(checkouts.rglob("*.bib")):
        for _, record in read_bibtex_records(path):
            if isinstance(record, RejectedRow):
                continue
            try:
                entry = bibtex_paper(record)
            except Unusable:
                continue
            if (same := finder.same(entry, -1)) is not None:
                old = works[same[0].paper_id]
                names = ("abstract", "authors", "year", "doi", "arxiv_id", "bibcode", "venue", "journal")
                works[old.paper_id] = replace(
                    old, **{name: getattr(old, name) or getattr(entry, name) for name in names}
                )
            else:
                name = f"w{len(works):05d}"
                works[name] = replace(entry, paper_id=name)
                finder.add(works[name], len(works))
    with out.open("w") as file:
        for name, work in works.items():
            names = ("title", "abstract", "year", "doi", "arxiv_id", "bibcode", "venue", "journal")
            record = {each: getattr(work, each) for each in names} | {"id": name, "authors": list(work.authors)}
            file.write(json.dumps({key: value for key, value in record.items() if value}) + "\n")
    print(len(works), "works,", sum(work.has_abstract for work in works.values()), "with an abstract")


def texts(checkouts: Path, corpus: Path) -> None:
    """Add the full texts of those papers that the corpus has."""
    papers = list(open_corpus(corpus).papers)
    new = []
    for words, main in (TUNING | HELD_OUT | OTHER_TEXTS).items():
        own = [paper for paper in papers if words.lower() in paper.title.lower() and "rratum" not in paper.title]
        with Path(corpus / "text.tar").open("wb") as file:
            file.write(_archive(checkouts / main))
        document = read_document(corpus / "text.tar")
        new += [NewText(paper.paper_id, document, main) for paper in own]
        print(words, [paper.paper_id for paper in own])
    (corpus / "text.tar").unlink()
    add(corpus, tuple(new))


def _archive(main: Path) -> bytes:
    """Return a paper as arXiv delivers it; in chapters of a thesis, the lines around the body are comments."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        for path in sorted(main.parent.rglob("*")):
            text = path.read_text(errors="replace") if path.suffix in (".tex", ".bbl") else ""
            if path == main:
                text = re.sub(
                    r"^\s*%+\s*(\\(?:begin|end)\{document\}|\\documentclass.*)", r"\1", text, flags=re.MULTILINE
                )
                text = text if r"\documentclass" in text else "\\documentclass{article}\n" + text
                text = text if r"\begin{document}" in text else text.replace("\n", "\n\\begin{document}\n", 1)
            if text and (path == main or r"\begin{document}" not in text):
                entry = tarfile.TarInfo(str(path.relative_to(main.parent)))
                entry.size = len(text.encode())
                archive.addfile(entry, io.BytesIO(text.encode()))
    return buffer.getvalue()


# Planted faults.

N_EACH = 2
"""Number of faults of each of the six kinds in each paper."""
_NUMBER = re.compile(r"(?<![\w.^{-])\d[\d,]*\.?\d+(?![\w.}])")
_ANTONYMS = dict(
    pair
    for words in (
        "increase:decrease increases:decreases increasing:decreasing higher:lower larger:smaller more:fewer "
        "older:younger faster:slower stronger:weaker "
        "hotter:cooler longer:shorter before:after positive:negative brighter:fainter "
        "above:below consistent:inconsistent common:rare"
    ).split()
    for pair in (tuple(words.split(":")), tuple(reversed(words.split(":"))))
)
_VERB = re.compile(r"\b(is|are|was|were|can|has been|have been)\b(?! not)")
_WORD = re.compile(r"[a-z]{4,}")
_UNIT = re.compile(r"[\s~]*(%|°|[^\W\d_]+)")
BESIDE = 30
"""Number of characters on each side of a number that tell what it stands for."""
NUMBER, NUMBER_OF_THE_SAME = "wrong number", "wrong number, said of the same thing"
"""The second is planted only where the source has the number beside a word, or before a unit, that stands beside it in
the sentence too, and not as the base of a power: a rule written before it was measured.
"""


@dataclass(frozen=True)
class Fault:
    """A planted fault, and whether an audit found it."""

    kind: str
    is_own: bool
    """True if a sentence of the paper was changed, false if one was inserted."""
    is_found: Callable[[Audit], bool]
    text: str


class Planter:
    """Plants faults in one paper."""

    def __init__(self, draft: Draft, pf: Pathfinder, seed: str) -> None:
        self.draft, self.random = draft, random.Random(seed)  # noqa: S311  no secret
        self.papers = list(pf.corpus.papers)
        records = Records(self.papers)
        self.records = {key: paper for key, entry in draft.listed.items() if (paper := records.of_entry(entry))}
        for reference in draft.document.references:
            if reference.key not in draft.listed and (paper := records.of_reference(reference)):
                self.records[reference.key] = paper
        library = Library.of(tuple({paper.paper_id: paper for paper in self.records.values()}.values()), pf.full_texts)
        cited = [key for key in draft.cited if key in self.records]
        self.read = [key for key in cited if library.source_of(self.records[key]) != TITLE]
        self.text = {
            key: " ".join(passage.text for passage in library.passages[self.records[key].paper_id]) for key in self.read
        }
        self.faults: list[Fault] = []
        self.inserted: list[Paragraph] = []
        self.changed: set[str] = set()

    def plant(self) -> None:
        """Plant all kinds of faults."""
        self._wrong_numbers(NUMBER, lambda _, m, key: m[0] in self.text[key])
        self._contradictions()
        self._wrong_sources()
        self._bibliography()
        self._wrong_numbers(NUMBER_OF_THE_SAME, lambda text, m, key: _is_of_the_same(text, m, self.text[key]))
        section = Section("Inserted", 1, SectionKind.DISCUSSION, tuple(self.inserted))
        document = self.draft.document
        self.draft = replace(self.draft, document=replace(document, sections=(*document.sections, section)))

    def _own(self) -> list[tuple[int, int, str, str, str]]:
        """Return the sentences that cite one work alone, which can be read: where they are, and the key."""
        found = []
        for s, section in enumerate(self.draft.document.sections):
            for p, paragraph in enumerate(section.paragraphs):
                found += [
                    (s, p, citing.text, citing.plain, citing.keys[0])
                    for citing in citing_sentences(paragraph)
                    if len(citing.keys) == 1 and citing.keys[0] in self.read and paragraph.text.count(citing.text) == 1
                ]
        self.random.shuffle(found)
        return found

    def _change(self, s: int, p: int, change: Callable[[Paragraph], Paragraph]) -> None:
        document = self.draft.document
        sections = list(document.sections)
        paragraphs = list(sections[s].paragraphs)
        paragraphs[p] = change(paragraphs[p])
        sections[s] = replace(sections[s], paragraphs=tuple(paragraphs))
        self.draft = replace(self.draft, document=replace(document, sections=tuple(sections)))

    def _insert(self, kind: str, key: str, words: str) -> None:
        paper = self.records[key]
        mark = f"{authors_in_text(paper)} ({paper.known_year})"
        text = f"{mark} report that {words[0].lower() if not words[:2].isupper() else words[0]}{words[1:]}"
        self.inserted.append(Paragraph(text, citations=(InTextCitation(0, len(mark), (key,)),)))
        self._note(kind, words[-40:], False)

    def _note(self, kind: str, piece: str, is_own: bool) -> None:
        def is_found(audit: Audit) -> bool:
            return any(sentence.is_fault and piece in sentence.text for sentence in audit.sentences)

        self.faults.append(Fault(kind, is_own, is_found, piece))

    def _sentences(self, test: Callable[[str], bool]) -> Iterator[tuple[str, str]]:
        """Yield sentences of abstracts to insert, in random order: "We" becomes "they", what is in brackets goes."""
        keys = self.random.sample(self.read, len(self.read))
        for key in keys:
            own = [re.sub(r"\s*\([^()]*\)", "", each) for each in split_sentences(self.records[key].abstract)]
            own = [re.sub(r"\b[Ww]e\b", "they", each) for each in own if 60 < len(each) < 320 and test(each)]
            if own:
                yield key, self.random.choice(own)

    def _wrong_numbers(self, kind: str, is_in_source: Callable[[str, re.Match[str], str], bool]) -> None:
        """Change a number that the source has, too: first in the paper's own sentences."""
        n = 0
        for s, p, text, plain, key in self._own():
            numbers = [
                m for m in _NUMBER.finditer(text) if m[0] in plain and not _is_year(m[0]) and is_in_source(text, m, key)
            ]
            if n == N_EACH or not numbers or text in self.changed:
                continue
            m = self.random.choice(numbers)
            new = text[: m.start()] + self._other(m[0]) + text[m.end() :]
            self._change(
                s, p, lambda paragraph, old=text, new=new: replace(paragraph, text=paragraph.text.replace(old, new))
            )
            self._note(kind, new[max(0, m.start() - 25) : m.end() + 15], True)
            self.changed |= {text, new}
            n += 1
        for key, sentence in self._sentences(lambda each: any(not _is_year(m[0]) for m in _NUMBER.finditer(each))):
            if n == N_EACH:
                break
            numbers = [m for m in _NUMBER.finditer(sentence) if not _is_year(m[0]) and is_in_source(sentence, m, key)]
            if numbers:
                m = self.random.choice(numbers)
                self._insert(kind, key, sentence[: m.start()] + self._other(m[0]) + sentence[m.end() :])
                n += 1

    def _other(self, number: str) -> str:
        """Return a number with as many digits and another first one."""
        return str(self.random.choice([digit for digit in range(1, 10) if digit != int(number[0])])) + number[1:]

    def _contradictions(self) -> None:
        for key, sentence in islice(self._sentences(lambda each: _opposite(each) != each), N_EACH):
            self._insert("contradicted", key, _opposite(sentence))

    def _wrong_sources(self) -> None:
        """Cite another work for what a source says: first in the paper's own sentences."""
        n = 0
        for s, p, text, plain, key in self._own():
            others = [each for each in self.read if each != key and _share(plain, self.text[each]) < 0.3]
            if n == N_EACH or text in self.changed or _share(plain, self.text[key]) < 0.7 or not others:
                continue
            other = self.random.choice(others)
            self._change(s, p, lambda paragraph, old=key, new=other, text=text: _recited(paragraph, text, old, new))
            self._note("wrong source", text[:60], True)
            self.changed.add(text)
            n += 1
        for key, sentence in self._sentences(bool):
            others = [each for each in self.read if each != key and _share(sentence, self.text[each]) < 0.3]
            if n == N_EACH:
                break
            if others:
                self._insert("wrong source", self.random.choice(others), sentence)
                n += 1

    def _bibliography(self) -> None:
        draft = self.draft
        known_keys = [key for key in draft.cited if key in draft.listed and key in self.records]
        keys = self.random.sample(known_keys, min(12, len(known_keys)))
        listed = dict(draft.listed)
        for key in keys[:N_EACH]:
            listed.pop(key)
            self._remark("not in the bibliography", RemarkKind.NO_ENTRY, key)
        known = {paper.paper_id for paper in self.records.values()}
        for paper in self.random.sample([paper for paper in self.papers if paper.paper_id not in known], N_EACH):
            listed[f"planted{paper.paper_id}"] = paper
            self._remark("never cited", RemarkKind.NOT_CITED, f"planted{paper.paper_id}")
        for key in keys[N_EACH : N_EACH + 1]:
            bad = self.records[key].paper_id
            self.papers = [replace(each, status="retracted") if each.paper_id == bad else each for each in self.papers]
            self._remark("retracted or published since", RemarkKind.RETRACTED, key)
        for key in keys[N_EACH + 1 :]:
            if self.records[key].journal and "arxiv" not in self.records[key].journal.lower():
                listed[key] = replace(
                    listed[key], journal=None, venue=None, doi=None, bibcode=None, other_ids=(),
                    arxiv_id=self.records[key].arxiv_id or "2001.00001",
                )  # fmt: skip
                self._remark("retracted or published since", RemarkKind.PUBLISHED, key)
                break
        references = [each for each in draft.document.references if each.key in listed or each.key not in draft.listed]
        references += [Reference(key, paper.title) for key, paper in listed.items() if key.startswith("planted")]
        self.draft = replace(draft, listed=listed, document=replace(draft.document, references=tuple(references)))

    def _remark(self, kind: str, of: RemarkKind, key: str) -> None:
        self.faults.append(
            Fault(kind, True, lambda audit: any(r.kind is of and r.key == key for r in audit.remarks), key)
        )


def _recited(paragraph: Paragraph, text: str, old: str, new: str) -> Paragraph:
    start = paragraph.text.index(text)
    citations = (
        replace(each, references=tuple(new if key == old else key for key in each.references))
        if start <= each.start <= start + len(text)
        else each
        for each in paragraph.citations
    )
    return replace(paragraph, citations=tuple(citations))


def _is_of_the_same(text: str, number: re.Match[str], source: str) -> bool:
    """Return whether a source has a number beside one of the words, or before the unit, that it has in a text."""
    own = _beside(text, number)
    return text[number.end() : number.end() + 1] != "^" and any(
        m[0] == number[0] and own & _beside(sentence, m)
        for sentence in split_sentences(source)
        for m in _NUMBER.finditer(sentence)
    )


def _beside(text: str, number: re.Match[str]) -> set[str]:
    before, behind = text[: number.start()][-BESIDE:], text[number.end() :][:BESIDE]
    unit = _UNIT.match(behind)
    around = f"{before.partition(' ')[2]} {behind.rpartition(' ')[0]}"
    beside = {each for each in stems(words_of(around), QUESTION_STOP_WORDS) if not each.isdigit()}
    return beside | ({unit[1]} if unit else set())


def _is_year(number: str) -> bool:
    return re.fullmatch(r"(?:19|20)\d\d", number) is not None


def _opposite(sentence: str) -> str:
    if re.search(r"\b(?:not|no|never)\b", sentence):
        return sentence  # turned round, it would be no sentence
    words = [m for m in re.finditer(r"\b[a-z]+\b", sentence) if m[0] in _ANTONYMS]
    if words:
        m = words[0]
        return sentence[: m.start()] + _ANTONYMS[m[0]] + sentence[m.end() :]
    return _VERB.sub(lambda m: f"{m[1]} not" if " " not in m[1] else m[1].replace(" ", " not "), sentence, count=1)


def _share(sentence: str, text: str) -> float:
    words = set(_WORD.findall(sentence.lower()))
    return len(words & set(_WORD.findall(text.lower()))) / len(words) if words else 0.0


class Remembering:
    """An embedder that embeds each text once."""

    def __init__(self, embedder: Any) -> None:
        self.name, self._embedder, self._vectors = embedder.name, embedder, {}

    def embed(self, texts: list[str], kind: str) -> np.ndarray:
        new = [text for text in dict.fromkeys(texts) if text not in self._vectors]
        if new:
            self._vectors.update(zip(new, self._embedder.embed(new, kind), strict=True))
        return np.stack([self._vectors[text] for text in texts])


class AlteredPapers(list):
    """The papers of a corpus, one of them retracted."""

    def __init__(self, papers: list[Paper], whole: Any) -> None:
        super().__init__(papers)
        self.rows_of, self.take = whole.rows_of, whole.take


def faults(checkouts: Path, corpus: Path, papers: dict[str, str]) -> None:
    """Print how many planted faults are found, and what is said of untouched sentences."""
    pf = Pathfinder.open(corpus, settings=Settings(_env_file=None))
    embedder = Remembering(pf.sentence_embedder)
    found: Counter[tuple[str, bool]] = Counter()
    planted: Counter[tuple[str, bool]] = Counter()
    untouched = []
    for main in papers.values():
        draft = read_draft(checkouts / main)
        session = SimpleNamespace(corpus=pf.corpus, full_texts=pf.full_texts, sentence_embedder=embedder)
        audit = audit_draft(session, draft)
        sources = {work.key: work.source for work in audit.works}
        untouched += [
            (main, each, all(sources[key] in ("abstract", "full text") for key in each.cites))
            for each in audit.sentences
        ]
        planter = Planter(draft, pf, main)
        planter.plant()
        altered = AlteredPapers(planter.papers, pf.corpus.papers)
        changed = SimpleNamespace(
            corpus=SimpleNamespace(papers=altered, dense=pf.corpus.dense, manifest=pf.corpus.manifest, network=None),
            full_texts=pf.full_texts, sentence_embedder=embedder,
        )  # fmt: skip
        after = audit_draft(changed, planter.draft)
        for fault in planter.faults:
            planted[fault.kind, fault.is_own] += 1
            found[fault.kind, fault.is_own] += fault.is_found(after)
            if not fault.is_found(after):
                print("missed:", fault.kind, fault.is_own, "|", fault.text, flush=True)
    for kind, is_own in sorted(planted):
        print(f"{kind} ({'own' if is_own else 'inserted'}): {found[kind, is_own]} of {planted[kind, is_own]}")
    print(f"all: {sum(found.values())} of {sum(planted.values())}")
    read = [each for _, each, is_read in untouched if is_read]
    rest = [each for _, each, is_read in untouched if not is_read]
    n_decided = sum(each.verdict is not SentenceVerdict.NOT_FOUND for each in read)
    print(
        f"untouched, all works here: {sum(each.is_fault for each in read)} of {len(read)} marked; {n_decided} decided"
    )
    print(f"untouched, others: {sum(each.is_fault for each in rest)} of {len(rest)} marked")
    for main, each, is_read in untouched:
        if each.is_fault:
            print("marked:", is_read, main, each.text[:200], each.reasons[:2])


# Statements about works that the papers cite, written by hand after their abstracts: each once right, once wrong.


def statements(checkouts: Path, corpus: Path, papers: dict[str, str], half: str) -> None:
    """Print how many wrong statements are marked, and how many right ones, by kind."""
    lines = (Path(__file__).parent / "audit_statements.tsv").read_text().splitlines()[1:]
    rows = [row for line in lines if (row := line.split("\t"))[0] == half]
    pf = Pathfinder.open(corpus, settings=Settings(_env_file=None))
    embedder, counts = Remembering(pf.sentence_embedder), Counter[tuple[str, str]]()
    for main in papers.values():
        planter = Planter(read_draft(checkouts / main), pf, main)
        records = planter.records
        library = Library.of(tuple({paper.paper_id: paper for paper in records.values()}.values()), pf.full_texts)
        session = SimpleNamespace(corpus=pf.corpus)
        judge = Judge(library, records, SentenceVectors(embedder), vectors_of_works(session, embedder, library))
        for row in [row for row in rows if row[2] in planter.read]:
            rows.remove(row)
            _, kind, key, *both = row
            for name, text in zip(("right", "wrong"), both, strict=True):
                start, mark = len(text), f"({authors_in_text(records[key])} {records[key].known_year})"
                citation = InTextCitation(start, start + len(mark), (key,))
                (citing,) = citing_sentences(Paragraph(f"{text[:-1]} {mark}.", citations=(citation,)))
                is_marked = judge.judge(1, citing, "", 0).is_fault
                counts[kind, name] += is_marked
                if is_marked is (name == "right"):
                    print("marked:" if is_marked else "missed:", kind, key, "|", text, flush=True)
            counts[kind, "all"] += 1
    print(dict(counts))


# Hidden references.

SHARE, N_TRIALS = 0.2, 10


def hidden(checkouts: Path, corpus: Path, papers: dict[str, str]) -> None:
    """Print which share of hidden references is among 50 suggestions, beside BM25 on titles and dense alone."""
    pf = Pathfinder.open(corpus, settings=Settings(_env_file=None))
    embedder = Remembering(pf.sentence_embedder)
    all_papers = list(pf.corpus.papers)
    records, titles = Records(all_papers), Titles([paper.title for paper in all_papers])
    ids = [paper.paper_id for paper in all_papers]
    vectors = pf.corpus.dense.vectors(np.arange(len(ids)))
    recalls: dict[str, list[tuple[float, float, float]]] = {}
    for main in papers.values():
        draft = read_draft(checkouts / main)
        cited = {paper.paper_id: paper for paper in _cited(draft, records)}
        own = [p for section in draft.document.sections for p in section.paragraphs]
        plain = [without_citations(p.text, 0, len(p.text), p.citations) for p in own]
        long = [text for text in plain if len(text) >= SHORTEST]
        lexical = np.sort(np.stack([titles.scores(text) for text in long]), axis=0)[-BEST:].mean(axis=0)
        dense = (embedder.embed(long, "document") @ vectors.T).mean(axis=0)
        itself = {paper.paper_id for paper in all_papers if _plain(paper.title) == _plain(draft.document.title)}
        for trial in range(N_TRIALS):
            chosen = random.Random(f"{main}{trial}")  # noqa: S311
            lost = set(chosen.sample(sorted(cited), max(1, round(SHARE * len(cited)))))
            kept = {key: paper for key, paper in cited.items() if key not in lost}
            works = WorkVectors(embedder, {key: vectors[ids.index(key)] for key in kept})
            found = suggestions(
                pf.corpus, [DraftParagraph("", text) for text in plain], plain, kept, works, draft.document.title
            )
            lists = [[each.paper.paper_id for each in found]]
            for scores in (lexical, dense):
                order = [ids[n] for n in np.argsort(-scores, kind="stable") if ids[n] not in kept.keys() | itself]
                lists.append(order[:50])
            recalls.setdefault(main, []).append(tuple(len(lost & set(each)) / len(lost) for each in lists))
        print(main, len(cited), np.mean(recalls[main], axis=0).round(3), flush=True)
    means = np.array([np.mean(each, axis=0) for each in recalls.values()])
    draws = np.random.default_rng(0).integers(len(means), size=(10_000, len(means)))
    print("suggestions, BM25 on titles, dense alone:", means.mean(axis=0).round(3))
    for name, other in (("BM25 on titles", 1), ("dense alone", 2)):
        gains = (means[:, 0] - means[:, other])[draws].mean(axis=1)
        print(
            f"above {name}:",
            (means[:, 0] - means[:, other]).mean().round(3),
            np.quantile(gains, [0.025, 0.975]).round(3),
        )


def _cited(draft: Draft, records: Records) -> Iterator[Paper]:
    for key in draft.cited:
        if key in draft.listed and (paper := records.of_entry(draft.listed[key])) is not None:
            yield paper
    for reference in draft.document.references:
        is_cited = reference.key in draft.cited and reference.key not in draft.listed
        if is_cited and (paper := records.of_reference(reference)) is not None:
            yield paper


def _plain(title: str) -> str:
    return re.sub(r"\W", "", title.lower())


if __name__ == "__main__":
    step, *rest = sys.argv[1:]
    places = [Path(each) for each in rest[:2]]
    chosen_papers = {
        "held-out": HELD_OUT, "new": NEW, "fresh": FRESH, "last": LAST, "drawn": DRAWN
    }.get("".join(rest[2:3]), TUNING)  # fmt: skip
    chosen_papers = {words: main for words, main in chosen_papers.items() if not rest[3:] or rest[3] in main}
    {
        "pool": lambda: pool(*places),
        "texts": lambda: texts(*places),
        "faults": lambda: faults(*places, chosen_papers),
        "statements": lambda: statements(*places, chosen_papers, "".join(rest[2:3]) or "tuning"),
        "hidden": lambda: hidden(*places, chosen_papers),
    }[step]()
