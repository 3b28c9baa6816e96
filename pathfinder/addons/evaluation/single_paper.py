"""The single-paper benchmark (arXiv:2408.01556, section 5), made from any corpus: each question is answered by one
paper.

Papers are drawn at random with a seed. Without a model, a question is a sentence from the abstract, word for word: the
one that adds most to the title. The published questions avoid the words of their papers. Sentences copied from
abstracts cannot, so their scores are an upper bound that favours word search: use them to compare corpora, settings and
versions, but not to compare search by meaning with search by words. A chat model can write the questions in other
words.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from pydantic import ConfigDict

from pathfinder.addons.evaluation.synthetic import SyntheticSet, check_draw
from pathfinder.answering.digest.excerpts import stands_alone
from pathfinder.corpus.journal import Journal, journal_key
from pathfinder.errors import MissingKey, ProviderError, RejectedKey, UsageError
from pathfinder.index.words import content_stems
from pathfinder.llm.chat import complete, json_or_none
from pathfinder.llm.prompts import render
from pathfinder.models.ports import ChatModel
from pathfinder.text.sentences import split_sentences
from pathfinder.types import Paper

DEFAULT_N = 500
"""Number of questions in the published benchmark."""
SEED = 0
MIN_WORDS, MAX_WORDS = 8, 45
"""Minimum and maximum number of words in a sentence that can serve as a question: shorter ones say little, and longer
ones make several statements.
"""

SAMPLE = 5000
"""Number of papers used to estimate the rarity of words."""

_OPENING = re.compile(
    r"(?:(?:in (?:this|the present) (?:paper|work|study|letter)|here|moreover|furthermore|additionally|in particular|"
    r"specifically|finally|thus|therefore|overall)\b,?\s+)*"
    r"(?:(?:we|our (?:results|findings|analysis|work|simulations|observations|model|models|data))\s+"
    r"(?:(?:also|further|then|now|clearly|strongly)\s+)*"
    r"(?:show|find|found|demonstrate|report|conclude|argue|suggest|suggests|indicate|indicates|reveal|reveals|propose|"
    r"confirm|confirms|note|infer|estimate|predict|establish|shows|demonstrates)\b"
    r"(?:\s+that\b)?,?\s*)?",
    re.IGNORECASE,
)
"""The lead-in of a statement: "In this paper we show that"."""

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")

_UNKNOWN_WORD = ""

Rarity = Callable[[Sequence[str]], Sequence[float]]
"""Function that maps stems to the information that each carries: `log(1 + N / df)`."""

Question = tuple[str | None, str]
"""A question about a paper, or `None` and the reason why there is none."""

SourcedQuestions = Mapping[str, tuple[str, Paper]]
"""Questions by their ids, each with the paper from which it was made."""


@dataclass(frozen=True, slots=True)
class QuestionWriter:
    """Writes questions from papers."""

    name: str
    write: Callable[[Paper], Question]


def extractive_question_writer(papers: Sequence[Paper], seed: int = SEED) -> QuestionWriter:
    """Make a writer that uses sentences from the abstract word for word, without a model. The rarity of words is
    estimated from `papers`.
    """
    rarity = rarity_in(papers, seed)
    return QuestionWriter("extractive", lambda paper: densest_sentence(paper, rarity))


def make_single_paper_set(
    papers: Sequence[Paper], writer: QuestionWriter, n: int = DEFAULT_N, seed: int = SEED
) -> SyntheticSet:
    """Make `n` questions, each answered by the paper from which it was made, and by any others that contain it word for
    word.

    No question is used twice. Papers that yield no question are skipped, and `about` lists the reasons with their
    counts. Raises `UsageError` if the corpus does not have enough papers.
    """
    check_draw(seed, n)
    questions: dict[str, tuple[str, Paper]] = {}
    texts: set[str] = set()
    passed_over: Counter[str] = Counter()
    for row in np.random.default_rng(seed).permutation(len(papers)):
        paper = papers[int(row)]
        text, reason = writer.write(paper)
        if text is None:
            passed_over[reason] += 1
            continue
        if text in texts:
            passed_over["a question already made from another paper"] += 1
            continue
        texts.add(text)
        questions[f"q-{paper.paper_id}"] = text, paper
        if len(questions) == n:
            break
    if len(questions) < n:
        reasons = "".join(f"; {count} have {reason}" for reason, count in passed_over.items())
        raise UsageError(f"{len(questions)} of {len(papers)} papers make a question, not {n}{reasons}: ask for fewer")
    others = also_answering(questions, papers)
    about: dict[str, str | int] = {
        "kind": "single-paper",
        "made": writer.name,
        "n": n,
        "seed": seed,
        "papers": len(papers),
    }
    if others:
        about["questions that other papers answer word for word"] = len(others)
    about |= {f"passed over: {reason}": count for reason, count in passed_over.items()}
    judgements = {
        name: dict.fromkeys((paper.paper_id, *others.get(name, ())), 1) for name, (_, paper) in questions.items()
    }
    return SyntheticSet({name: text for name, (text, _) in questions.items()}, judgements, about)


def densest_sentence(paper: Paper, rarity: Rarity) -> Question:
    """Choose the sentence in the abstract that adds most to the title, without its lead-in. It is never the first
    sentence, which sets the scene; it makes sense without the previous one, and has 8 to 45 words. Its information
    content is the total rarity of its distinct words that are not in the title; a number counts as a word that no other
    paper contains.
    """
    sentences = [without_opening(s) for s in split_sentences(paper.abstract)[1:] if stands_alone(s)]
    usable = [sentence for sentence in sentences if MIN_WORDS <= len(sentence.split()) <= MAX_WORDS]
    if not usable:
        return None, f"no self-contained sentence of {MIN_WORDS} to {MAX_WORDS} words after the first one"
    in_title = content_stems(paper.title)
    (rarest,) = rarity([_UNKNOWN_WORD])
    return max(usable, key=lambda sentence: _information(sentence, in_title, rarity, rarest)), ""


def _information(sentence: str, in_title: frozenset[str], rarity: Rarity, rarest: float) -> float:
    new_words = content_stems(_NUMBER.sub(" ", sentence)) - in_title
    return float(sum(rarity(sorted(new_words)))) + rarest * len(set(_NUMBER.findall(sentence)))


def without_opening(sentence: str) -> str:
    """Remove the lead-in: "We show that dust is hot." becomes "dust is hot."."""
    rest = _OPENING.sub("", sentence, count=1)
    return rest if len(rest.split()) >= MIN_WORDS else sentence


def rarity_in(papers: Sequence[Paper], seed: int = SEED) -> Rarity:
    """Compute `log(1 + N / df)` over at most 5,000 of `papers`, drawn with `seed`; an unknown word is treated as if it
    occurred in one paper.
    """
    check_draw(seed)
    rows = np.sort(np.random.default_rng(seed).permutation(len(papers))[:SAMPLE])
    frequency: Counter[str] = Counter()
    for row in rows.tolist():
        frequency.update(content_stems(papers[row].text))
    return lambda tokens: [float(np.log1p(len(rows) / max(frequency[token], 1))) for token in tokens]


def also_answering(questions: SourcedQuestions, papers: Iterable[Paper]) -> dict[str, list[str]]:
    """Find, for each question, the ids of all other `papers` that contain it word for word, or have the same abstract
    as the paper from which it was made.

    Differences in white space are ignored. A question that no other paper answers has no entry.
    """
    sentences = {name: _with_single_spaces(text) for name, (text, _) in questions.items()}
    abstracts = {name: _with_single_spaces(paper.abstract) for name, (_, paper) in questions.items()}
    # A paper that contains the sentence also contains its longest word, which is looked up for all questions at once.
    suspects: dict[str, list[str]] = {}
    for name, text in sentences.items():
        suspects.setdefault(_key(text), []).append(name)
        if abstracts[name]:
            suspects.setdefault(_key(abstracts[name]), []).append(name)
    others: dict[str, list[str]] = {}
    for paper in papers:
        words = paper.abstract.split()
        suspect_names = {name for word in suspects.keys() & set(words) for name in suspects[word]}
        abstract = " ".join(words) if suspect_names else ""
        for name in suspect_names:
            is_own = paper.paper_id == questions[name][1].paper_id
            if not is_own and (sentences[name] in abstract or abstracts[name] == abstract):
                others.setdefault(name, []).append(paper.paper_id)
    return others


def _with_single_spaces(text: str) -> str:
    return " ".join(text.split())


def _key(text: str) -> str:
    """Return the longest word of `text` other than the first and last, which in another text may be part of a longer
    word or have punctuation attached.
    """
    every = text.split()
    return max(every[1:-1] or every, key=len, default="")


# Single-paper questions written by a chat model: cached and resumable; failures are counted, not replaced.

TEMPERATURE = 0.5
MAX_TOKENS = 200
MAX_FAILURES_IN_A_ROW = 5
"""Number of consecutive failures that are treated as an outage rather than bad luck."""

_MARKED_QUESTION = re.compile(r"<question>\s*+([^<>]++)</question>")


@dataclass(frozen=True)
class _WrittenQuestion:
    __pydantic_config__ = ConfigDict(extra="forbid")

    question: str


def chat_question_writer(chat: ChatModel, journal: Journal) -> QuestionWriter:
    """Make a writer that has `chat` write questions. Replies are stored in `journal`, so a command that is repeated
    later continues where it stopped, at no extra cost.

    After a failed call, or a reply without exactly one question, the paper is skipped and counted. Raises a
    `ProviderError` at once for a missing or rejected key, and for an outage at the fifth consecutive failure.
    """
    return QuestionWriter(f"written by {chat.name}", _QuestionWriter(chat, journal).write)


@dataclass(slots=True)
class _QuestionWriter:
    chat: ChatModel
    journal: Journal
    _n_failed: int = field(default=0)

    def write(self, paper: Paper) -> Question:
        if not paper.has_abstract:
            return None, "a paper without an abstract"
        system = render("single_paper_system")
        prompt = render("single_paper_question", title=paper.title, abstract=paper.abstract)
        try:
            reply = self._reply(system, prompt)
        except (MissingKey, RejectedKey):
            raise
        except ProviderError:
            self._n_failed += 1
            if self._n_failed == MAX_FAILURES_IN_A_ROW:
                raise
            return None, "a failed call to the chat model"
        self._n_failed = 0
        parsed_reply = json_or_none(reply, _WrittenQuestion)
        questions = (
            _MARKED_QUESTION.findall(reply)
            if parsed_reply is None
            else [parsed_reply.question]
            if parsed_reply.question.strip()
            else []
        )
        return (
            (" ".join(questions[0].split()), "")
            if len(questions) == 1
            else (None, "a reply that is not exactly one question")
        )

    def _reply(self, system: str, prompt: str) -> str:
        key = journal_key("single-paper question", self.chat.name, system, prompt)
        if key not in self.journal:
            reply = complete(
                self.chat, system, prompt, temperature=TEMPERATURE, max_tokens=MAX_TOKENS, form=_WrittenQuestion
            )
            self.journal.append([(key, reply.encode("utf-8", "surrogatepass"))])
        return self.journal[key].decode("utf-8", "surrogatepass")
