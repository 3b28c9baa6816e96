"""Makes a paper from a seed."""

import random

from benchmarks.made_papers.paper import Citing, Float, Formula, Heading, MadePaper, Note, Part, Text, Work
from benchmarks.made_papers.words import COMPOUND_SURNAMES, ENGLISH, JOURNALS, SURNAMES, Vocabulary

N_WORKS = 36
FORMULAS = (
    r"E_{k} = \frac{1}{2} m v^{2}",
    r"L = 4 \pi R^{2} \sigma T^{4}",
    r"\rho(r) = \rho_{0} \left( 1 + \frac{r}{a} \right)^{-3}",
    r"\int_{0}^{\infty} n(m) \, dm = 1",
)


def make(seed: int, sections: int = 5, vocabulary: Vocabulary = ENGLISH, is_wide: bool = False) -> MadePaper:
    """Return a paper, the same for the same arguments; `is_wide` lets figures take two columns."""
    return _Writer(seed, vocabulary, is_wide).paper(sections)


class _Writer:
    def __init__(self, seed: int, vocabulary: Vocabulary, is_wide: bool) -> None:
        self.random = random.Random(seed)  # noqa: S311
        self.words = vocabulary
        self.is_wide = is_wide
        self.seen: set[str] = set()
        self.n_citing = 0
        self.n_floats = {True: 0, False: 0}

    def paper(self, sections: int) -> MadePaper:
        paper = MadePaper(self.words.title, self.words, tuple(self.sentence() for _ in range(5)), self.works())
        topics = self.random.sample(self.words.topics, min(sections, len(self.words.topics)))
        for number, title in enumerate([self.words.introduction, *topics, self.words.conclusions]):
            paper.parts += [Heading(title, 1), *(self.text() for _ in range(self.random.randint(2, 4)))]
            if 0 < number <= len(topics):
                paper.parts += self.subsection(number)
        paper.parts += [Heading(self.words.appendix, 1, is_appendix=True), self.text(), self.text()]
        return paper

    def subsection(self, number: int) -> list[Part]:
        is_table = number % 3 == 0
        self.n_floats[is_table] += 1
        wide = self.is_wide and not is_table and number % 2 == 1
        return [
            Float(self.sentence(), self.n_floats[is_table], is_table, wide),
            Heading(self.words.closer.format(number), 2),
            self.text(),
            self.text(),
            Formula(self.words.balance, self.random.choice(FORMULAS)),
            self.text(),
        ]

    def sentence(self) -> str:
        pick = self.random.choice
        while True:
            parts = (pick(self.words.starts), pick(self.words.subjects), pick(self.words.verbs))
            text = " ".join(filter(None, (*parts, pick(self.words.objects), pick(self.words.ends))))
            if self.random.random() < 0.2:
                text += self.words.share.format(self.random.randint(2, 98))
            text = f"{text[0].upper()}{text[1:]}."
            if text not in self.seen:
                self.seen.add(text)
                return text

    def text(self) -> Text:
        pieces: list[str | Citing | Note] = [self.sentence() for _ in range(self.random.randint(3, 8))]
        if self.random.random() < 0.6:
            pieces.insert(self.random.randint(1, len(pieces)), self.citing())
        if self.random.random() < 0.25:
            pieces.append(Note(self.sentence()))
        return Text(tuple(pieces))

    def citing(self) -> Citing:
        self.n_citing += 1
        is_textual = self.random.random() < 0.5
        works = self.random.sample(range(N_WORKS), 1 if is_textual else self.random.randint(1, 3))
        frame = self.words.textual if is_textual else self.words.bracketed
        return Citing(frame, f"Q{self.n_citing}", tuple(sorted(works)), is_textual)

    def works(self) -> tuple[Work, ...]:
        """Return a list of works by one, two, three and more authors; some share first author and year."""
        works: list[Work] = []
        while len(works) < N_WORKS:
            count = self.random.choice((1, 2, 2, 3, 4, 6))
            surnames = self.random.sample([*SURNAMES, *COMPOUND_SURNAMES], count)
            initials = (self.random.choice("ABCDEFGHJKLMNPRSTW") for _ in surnames)
            authors = tuple(
                (surname, "" if "Collaboration" in surname else initial)
                for surname, initial in zip(surnames, initials, strict=True)
            )
            year = str(self.random.randint(1975, 2024))
            letters = ("a", "b") if len(works) % 9 == 4 and len(works) < N_WORKS - 1 else ("",)
            works += [self.work(authors, year + letter) for letter in letters]
        return tuple(works)

    def work(self, authors: tuple[tuple[str, str], ...], year: str) -> Work:
        volume, page = self.random.randint(10, 900), self.random.randint(1, 2000)
        title = f"A study of {self.random.choice(ENGLISH.objects)}"
        return Work(authors, year, self.random.choice(JOURNALS), volume, page, title)
