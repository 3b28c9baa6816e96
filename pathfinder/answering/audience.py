"""Has a chat model rewrite an answer for another audience or in another language, and compares the two texts."""

import html
import re
import unicodedata
from bisect import bisect_left
from collections.abc import Generator
from dataclasses import replace
from time import perf_counter

from pathfinder.answering.assessment.fidelity import check_fidelity
from pathfinder.answering.grounding.citations import without_unseen_signs
from pathfinder.answering.grounding.marks import NUMBER_MARK, UNKNOWN_MARK, WIDE_NUMBER_MARK
from pathfinder.errors import ProviderError, UsageError
from pathfinder.llm.chat import empty_reply
from pathfinder.llm.prompts import render
from pathfinder.llm.stopping import RecordedStream
from pathfinder.models.ports import ChatModel
from pathfinder.profile import Profile
from pathfinder.retrieval.lookup.question import describe_model
from pathfinder.text.languages import LANGUAGES
from pathfinder.types import Answer, Audience, Change, Fidelity, Rewrite

READERS = {
    Audience.TEN_YEAR_OLD: "a curious child of ten: short sentences, everyday words, each technical term explained in "
    "a few words where it first appears.",
    Audience.STUDENT: "a first- or second-year «student»: clear, with technical terms named and explained "
    "in half a sentence.",
    Audience.EXPERT: "«an expert» who works on the subject: terse and precise, in technical terms.",
}
SAME_READERS = "those of the original: keep its tone and its terms."
SAME_LANGUAGE = "that of the answer."

_CUT_NOTE = (
    "{name} was cut off after {room:,} tokens: the end of the text is missing, and any facts in it count as lost"
)
NO_CHAT = "rewriting an answer needs a chat model, and none is set: set PATHFINDER_CHAT_MODEL"

MAX_LANGUAGE = 40
"""Maximum length of a language's name, in characters."""

_LANGUAGE = re.compile(r"[^\W\d_](?:[^\W\d_]|[\u0300-\u036f\u0900-\u097f\u200c\u200d' ()-])*")
_NUMBER = re.compile(r"\d+")


def stream_rewrite(
    answer: Answer,
    chat: ChatModel | None,
    audience: Audience | None = None,
    language: str | None = None,
    profile: Profile | None = None,
) -> Generator[str, None, Rewrite]:
    """Yield the new text as it arrives; return the whole text, with a list of losses and additions.

    If `audience` or `language` (a name or a code) is `None`, it stays as in the original; at least one of them must be
    given. `profile` supplies the names used in the field, by default astronomy. Raises `UsageError` for an answer that
    cannot be rewritten, and a `ProviderError` if there is no chat model or it fails.
    """
    language = _check_request(answer, audience, language)
    if chat is None:
        raise ProviderError(NO_CHAT)
    original = original_of(answer)
    readers = SAME_READERS if audience is None else READERS[audience]
    system = render("rewrite_system", audience=readers, language=language or SAME_LANGUAGE)
    start = perf_counter()
    prompt = render("rewrite", answer=html.escape(original, quote=False))
    room = rewrite_token_limit(original, audience, language)
    with RecordedStream(chat.stream(system, prompt, temperature=0.0, max_tokens=room)) as chunks:
        yield from chunks
    text, usage = _with_plain_marks(without_unseen_signs(html.unescape("".join(chunks.items)).strip())), chunks.result
    if not text:
        raise empty_reply(chat.name)
    seconds = perf_counter() - start
    fidelity = check_fidelity(original, text, language, profile)
    marked_text, fidelity = _mark_unknown_numbers(text, original, fidelity)
    is_cut = usage is not None and usage.is_cut
    ran = f"rewritten{', cut off' if is_cut else ''}, {describe_model(chat.name)}; compared by the local checker"
    notes = (_CUT_NOTE.format(name=chat.name, room=room),) if is_cut else ()
    return Rewrite(original, marked_text, audience, language, fidelity, ran, seconds, notes)


def original_of(answer: Answer) -> str:
    """Return the text of `answer` that is to be rewritten, without invented citation marks."""
    return UNKNOWN_MARK.sub("", without_unseen_signs(answer.text))


def _with_plain_marks(text: str) -> str:
    """Write the citation marks in `text` in the form used in answers: [१], [01] and 【1】 become [1]."""
    text = WIDE_NUMBER_MARK.sub(lambda mark: f"[{mark[1].replace('、', ', ').replace('，', ', ')}]", text)
    return NUMBER_MARK.sub(lambda mark: _NUMBER.sub(lambda number: str(int(number[0])), mark[0]), text)


def _check_request(answer: Answer, audience: Audience | None, language: str | None) -> str | None:
    """Return the name of the language, tidied up.

    Raises `UsageError` for an answer that cannot be rewritten, or an audience or language that is missing or invalid.
    """
    if answer.redirect is not None or not answer.text.strip():
        raise UsageError("there is no answer to rewrite: the question is out of scope")
    if audience is not None and not isinstance(audience, Audience):
        raise UsageError(f"audience must be one of {', '.join(Audience)}, got {audience!r}")
    language = check_language(language)
    if audience is None and language is None:
        raise UsageError("nothing to rewrite: name an audience or a language")
    return language


def check_language(language: str | None) -> str | None:
    """Return the name of a language, tidied up; `None` if it is blank. Raises `UsageError` for any other text."""
    language = " ".join((language or "").split()) or None
    if language is not None and (len(language) > MAX_LANGUAGE or not _LANGUAGE.fullmatch(language)):
        raise UsageError(
            f"{language!r} is not the name of a language: write a name of at most {MAX_LANGUAGE} letters, such as "
            "Spanish"
        )
    return language


def _mark_unknown_numbers(text: str, original: str, fidelity: Fidelity) -> tuple[str, Fidelity]:
    """Add a question mark to each citation number that the original lacks, so that it links to nothing: [9?]."""
    known_numbers = {int(number) for mark in NUMBER_MARK.findall(original) for number in re.findall(r"\d+", mark)}
    numbers = (number for mark in NUMBER_MARK.finditer(text) for number in _NUMBER.finditer(text, *mark.span()))
    places = [number.end() for number in numbers if int(number[0]) not in known_numbers]
    for place in reversed(places):
        text = f"{text[:place]}?{text[place:]}"
    shifted_additions = (_shift(change, text, places) for change in fidelity.added)
    return text, replace(fidelity, added=tuple(shifted_additions))


def _shift(change: Change, text: str, places: list[int]) -> Change:
    """Shift `change` to its new position after a character was inserted at each of `places`."""
    start, end = (end + bisect_left(places, end) for end in (change.start, change.end))
    return replace(change, text=text[start:end], start=start, end=end)


# Limits the number of tokens in a rewritten answer, leaving enough for any audience and any script.

LEAST, MOST = 2_000, 16_000
"""Smallest and largest limit on the tokens in a reply: every current model can write the lower number, and few can
write more than the upper. Tokens used for reasoning count too.
"""

LONGER = {None: 1.3, Audience.EXPERT: 1.3, Audience.STUDENT: 2.0, Audience.TEN_YEAR_OLD: 2.5}
"""Maximum ratio of the new text's length to the original's; high for readers to whom technical terms are explained."""

_LATIN, _TWO_BYTES, _THREE_BYTES = 0.4, 1.0, 2.0
"""Tokens per character of an English text after translation into a script whose letters take one, two or three bytes:
most tokenisers were trained on English and split other scripts into bytes.
"""
_KNOWN_BY_SCRIPT = {
    script: frozenset(name for language in LANGUAGES if language.script == script for name in language.names)
    for script in ("LATIN", "CJK")
}
_OF_LATIN = _KNOWN_BY_SCRIPT["LATIN"] | frozenset(
    "danish da swedish sv norwegian no finnish fi polish pl czech cs hungarian hu romanian ro turkish tr indonesian id "
    "malay ms catalan ca basque eu latin la swahili sw slovak sk slovenian sl".split()
)
_OF_TWO_BYTES = _KNOWN_BY_SCRIPT["CJK"] | frozenset(
    "russian ru ukrainian uk bulgarian bg serbian sr greek el arabic ar persian fa urdu ur hebrew he armenian hy "
    "japanese ja korean ko vietnamese vi".split()
)
"""Languages whose scripts use two bytes per letter; also Chinese, Japanese and Korean, in which one character does the
work of about three in English.
"""
_DENSE = ("CJK", "HIRAGANA", "KATAKANA", "HANGUL")
SIGNS_OF_DENSE = 3


def rewrite_token_limit(original: str, audience: Audience | None, language: str | None) -> int:
    """Return the maximum number of tokens for a rewrite of `original` for `audience` in `language`, or in the
    original's language if `language` is `None`.
    """
    per_sign = _of_language(language) if language else _of_text(original)
    return round(min(max(_length(original) * LONGER[audience] * per_sign, LEAST), MOST))


def _length(text: str) -> int:
    """Estimate how many characters the text would have in English."""
    return sum(SIGNS_OF_DENSE if unicodedata.name(sign, "").startswith(_DENSE) else 1 for sign in text)


def _of_language(name: str) -> float:
    """Return the tokens per character of a language; a language that is not listed may use any script."""
    name = name.casefold()
    return _LATIN if name in _OF_LATIN else _TWO_BYTES if name in _OF_TWO_BYTES else _THREE_BYTES


def _of_text(text: str) -> float:
    """Estimate the tokens per character from the share of letters beyond ASCII; accented letters are rare enough not to
    matter.
    """
    widths = [len(sign.encode("utf-8", "replace")) for sign in text if sign.isalpha()]
    n_wide, n_two = sum(width > 2 for width in widths), sum(width == 2 for width in widths)
    if n_wide > len(widths) / 4:
        return _TWO_BYTES if _length(text) > len(text) else _THREE_BYTES
    return _TWO_BYTES if n_two > len(widths) / 4 else _LATIN
