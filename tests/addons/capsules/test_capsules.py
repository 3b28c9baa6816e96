"""Capsules: a question in one file, opened and checked without its corpus."""

import datetime
import io
import json
import random
import zipfile
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from pathfinder.addons.capsules.archive import CapsuleOrigin, _secrets, open_capsule, pack
from pathfinder.addons.capsules.checks import Outcome, check, check_against, compare
from pathfinder.addons.capsules.contents import MapPlace
from pathfinder.errors import UsageError
from pathfinder.operations.ask import answer_lines, answer_record
from pathfinder.operations.search import result_lines
from pathfinder.retrieval.weighting import weigh
from pathfinder.settings import Settings
from pathfinder.shelves.shelf import Shelf, State
from pathfinder.types import (
    Answer,
    CallText,
    Candidates,
    Claim,
    CorpusName,
    Digest,
    DigestForm,
    Finding,
    FullTextPassage,
    Paper,
    Provenance,
    SearchRequest,
    SearchResult,
    SectionKind,
    Weighting,
)
from pathfinder.ui.answer.digest_panel import digest_lines

ORIGIN = CapsuleOrigin("0.2.0", datetime.date(2026, 11, 23), "all-MiniLM-L6-v2")
PAPERS = (
    Paper("one", "Masers", "Masers are bright. They flare.", year=2001),
    Paper("two", "<script>alert(1)</script>", "Nothing is said.", year=2010),
    Paper("three", "Dust", "Dust is cold.", provenance=(Provenance("ads", "x"),)),
)


def result(weighting: Weighting | None = None) -> SearchResult:
    """Three candidates whose match is 1, 0.1 and 0.9, and whose ages are 1, 0 years and unknown."""
    request = SearchRequest("are masers bright?", weighting=weighting or Weighting(recency=0.5), top_k=2)
    nothing = np.full(3, np.nan)
    candidates = Candidates(
        PAPERS,
        np.array([5, 7, 2]),
        np.zeros((3, 4), np.float32),
        dense=np.array([0.8, 0.1, 1 / 3]),
        sparse=nothing,
        fused=np.array([1.0, 0.1, 0.9]),
        keyword=nothing,
        age_years=np.array([1.0, 0.0, np.nan]),
        citation_count=nothing,
        citation_percentile=nothing,
        extra={"luck": np.array([0.5, np.nan, 1.0])},
    )
    hits = weigh(candidates, request.weighting, request.top_k)
    return SearchResult(request, CorpusName("stars", "0123456789ab", 3), candidates, hits, (), ())


def answer() -> Answer:
    findings = (Finding("one", "Masers are bright.", 0, 18), Finding("three", "Dust is cold.", 0, 13))
    digest = Digest(DigestForm.SIDES, "yes or no", findings)
    claims = (Claim("Masers are bright.", ("one",)),)
    return Answer("are masers bright?", "Masers are bright. [1]", claims, False, (), sources=PAPERS, digest=digest)


def outcomes(capsule_bytes: bytes) -> dict[str, Outcome]:
    return {each.name: each.outcome for each in check(open_capsule(capsule_bytes))}


def repack(capsule_bytes: bytes, change: Callable[[dict[str, bytes]], object]) -> bytes:
    """Return the capsule with other contents, packed like any zip."""
    with zipfile.ZipFile(io.BytesIO(capsule_bytes)) as archive:
        contents = {name: archive.read(name) for name in archive.namelist()}
    change(contents)
    new_file = io.BytesIO()
    with zipfile.ZipFile(new_file, "w") as archive:
        for name, content in contents.items():
            archive.writestr(name, content)
    return new_file.getvalue()


def alter(capsule_bytes: bytes, name: str, old: bytes, new: bytes) -> bytes:
    def change(contents: dict[str, bytes]) -> None:
        assert old in contents[name]
        contents[name] = contents[name].replace(old, new, 1)

    return repack(capsule_bytes, change)


def test_what_was_saved_is_opened_again_and_holds():
    capsule_bytes = pack(result(), ORIGIN, answer=answer(), places=[MapPlace("one", 1.5, -2.0)])
    capsule = open_capsule(capsule_bytes)
    assert capsule.result.request == result().request
    assert [hit.row for hit in capsule.result.hits] == [5, 2]
    assert capsule.places == (MapPlace("one", 1.5, -2.0),)
    assert outcomes(capsule_bytes) == {
        **dict.fromkeys(("files", "order", "scores", "quotations", "citations"), Outcome.HOLDS),
        **dict.fromkeys(("texts", "candidates"), Outcome.UNCHECKED),
    }


def test_a_shelf_is_saved_with_the_question_and_opened_again():
    shelf = (
        Shelf("masers").add(["one", "elsewhere"]).set_state("one", State.IN, "bright").set_note("one", "<b>read</b>")
    )
    assert open_capsule(pack(result(), ORIGIN, shelf=shelf)).shelf == shelf
    assert open_capsule(pack(result(), ORIGIN)).shelf is None


def test_a_damaged_shelf_is_refused_with_the_place():
    capsule_bytes = pack(result(), ORIGIN, shelf=Shelf("masers").add(["one"]))
    for old, new in ((b'"to read"', b'"burnt"'), (b'"masers"', b'"two\\nlines"')):
        with pytest.raises(UsageError, match=r"shelf\.json"):
            open_capsule(alter(capsule_bytes, "shelf.json", old, new))


@pytest.mark.parametrize(
    ("name", "before", "place"),
    [
        ("capsule.json", b'"format":', "mood"),
        ("search.json", b'"paper_id":', "hits.0.paper.mood"),
        ("candidates.json", b'"paper_id":', "0.mood"),
        ("answer.json", b'"question":', "mood"),
        ("map.json", b'"x":', "0.mood"),
    ],
)
def test_a_key_that_no_capsule_has_is_refused_with_its_place(name: str, before: bytes, place: str):
    capsule_bytes = pack(result(), ORIGIN, answer=answer(), places=[MapPlace("one", 1.5, -2.0)])
    with pytest.raises(UsageError, match=rf"{name}.*{place}"):
        open_capsule(alter(capsule_bytes, name, before, b'"mood": 1, ' + before))


def test_the_same_question_gives_the_same_bytes():
    assert pack(result(), ORIGIN, answer=answer()) == pack(result(), ORIGIN, answer=answer())


def test_scores_are_computed_again_from_the_candidates_to_the_last_digit():
    first, again = result(), open_capsule(pack(result(), ORIGIN)).result
    weighted_pool = weigh(again.candidates, again.request.weighting, 2)
    assert [hit.score.final for hit in weighted_pool] == [hit.score.final for hit in first.hits]
    np.testing.assert_array_equal(again.candidates.extra["luck"], [0.5, np.nan, 1.0])


def test_papers_that_the_question_names_stay_first():
    named_candidates = replace(result().candidates, named_rows={7: "title"})
    first = replace(
        result(),
        candidates=named_candidates,
        hits=weigh(named_candidates, Weighting(), 2),
        request=SearchRequest("x", top_k=2),
    )
    capsule = open_capsule(pack(first, ORIGIN))
    assert [hit.row for hit in capsule.result.hits] == [7, 5]
    assert {each.outcome for each in check(capsule) if each.name in ("order", "scores")} == {Outcome.HOLDS}


def test_a_changed_file_is_named():
    capsule_bytes = alter(
        pack(result(), ORIGIN, answer=answer()), "answer.json", b"Masers are bright. [1]", b"Masers are dim. [1]"
    )
    assert open_capsule(capsule_bytes).altered_files == ("answer.json",)
    assert outcomes(capsule_bytes)["files"] is Outcome.FAILS


def test_another_order_does_not_follow_from_the_candidates():
    swapped_result = replace(result(), hits=result().hits[::-1])
    assert outcomes(pack(swapped_result, ORIGIN))["order"] is Outcome.FAILS


def test_a_score_of_its_own_does_not_follow_from_the_candidates():
    first, second = result().hits
    raised_hit = replace(first, score=replace(first.score, final=first.score.final + 2e-9))
    assert outcomes(pack(replace(result(), hits=(raised_hit, second)), ORIGIN))["scores"] is Outcome.FAILS


def test_an_invented_quotation_and_an_invented_citation_fail():
    invention = replace(
        answer(),
        digest=replace(answer().digest, findings=(Finding("one", "Masers are dim.", 0, 18),)),
        claims=(Claim("x", ("nobody",)),),
    )
    outcome_of = outcomes(pack(result(), ORIGIN, answer=invention))
    assert (outcome_of["quotations"], outcome_of["citations"]) == (Outcome.FAILS, Outcome.FAILS)


def test_a_number_without_a_paper_fails_wherever_it_stands_in_a_mark():
    numbered_answer = replace(answer(), text="Masers are bright. [1, 9] Gas is not. [k3q7z?, 8?]")
    (citations,) = [
        each for each in check(open_capsule(pack(result(), ORIGIN, answer=numbered_answer))) if each.name == "citations"
    ]
    assert (citations.outcome, citations.detail.split()[0]) == (Outcome.FAILS, "[9]")


def test_a_factor_that_is_not_installed_is_said_and_no_order_is_made_up():
    capsule = open_capsule(pack(result(Weighting(extra={"luck": 1.0})), ORIGIN))
    (order,) = [each for each in check(capsule) if each.name in ("order", "scores")]
    assert (order.outcome, "luck" in order.detail) == (Outcome.UNCHECKED, True)


def test_an_abstract_without_a_licence_is_left_out_and_said():
    capsule = open_capsule(pack(result(), ORIGIN, answer=answer()))
    assert [(each.paper_id, each.text) for each in capsule.card.left_out] == [("three", "abstract")]
    assert [source.abstract for source in capsule.answer.sources] == [PAPERS[0].abstract, PAPERS[1].abstract, ""]
    (quotations,) = [each for each in check(capsule) if each.name == "quotations"]
    assert quotations.detail == "1 of 2 are where the answer says; the text for 1 is not in the capsule"


@pytest.mark.parametrize(("licence", "text"), [("CC-BY-4.0", "The whole passage."), (None, "")])
def test_a_passage_is_included_only_under_an_open_licence(licence, text):
    passage = FullTextPassage("The whole passage.", "2", SectionKind.METHOD, 3, 1, 0, 0, 0, 18)
    first, second = result().hits
    with_passage = replace(result(), hits=(replace(first, full_text=(passage,)), second))
    capsule = open_capsule(pack(with_passage, ORIGIN, licences={"one": licence}))
    assert capsule.result.hits[0].full_text[0].text == text
    assert ("one", "full text") in {(each.paper_id, each.text) for each in capsule.card.left_out} or licence


def test_prompts_are_left_out_with_the_texts_that_they_may_quote():
    texts = [CallText("answer", "scripted:model", "Dust is cold.", "Yes.")]
    assert open_capsule(pack(result(), ORIGIN, texts=texts)).texts == (replace(texts[0], prompt=""),)
    free = replace(result(), hits=result().hits[:1])
    assert open_capsule(pack(free, ORIGIN, texts=texts)).texts == tuple(texts)


def test_no_key_and_no_path_is_inside():
    result_with_notes = replace(result(), notes=("sk-12345678 was refused", 'no file "/home/ann/stars"'))
    capsule_bytes = pack(result_with_notes, ORIGIN, secrets=("sk-12345678", "/home/ann"))
    with zipfile.ZipFile(io.BytesIO(capsule_bytes)) as archive:
        whole = b"".join(map(archive.read, archive.namelist()))
    assert b"sk-12345678" not in whole
    assert b"/home/ann" not in whole
    assert open_capsule(capsule_bytes).result.notes == ("[left out] was refused", 'no file "[left out]/stars"')


def test_two_runs_are_compared_by_settings_and_ranks():
    # Match alone: 1, 0.9 and 0.1; the youngest comes first where only age counts.
    comparison = compare(result(Weighting()), result(Weighting(recency=1.0)))
    assert [(each.name, each.before, each.after) for each in comparison.settings] == [("recency", "0.0", "1.0")]
    assert [(shift.paper.paper_id, shift.left, shift.right) for shift in comparison.papers.shifts] == [
        ("one", 1, 1),
        ("three", 2, 2),
    ]
    assert comparison.papers.overlap == 1.0


def test_papers_of_two_versions_of_a_corpus_are_matched_by_their_ids():
    moved_candidates = replace(result().candidates, rows=np.array([2, 5, 7]))
    later = replace(result(), corpus=CorpusName("stars", "ba9876543210", 3), candidates=moved_candidates)
    later = replace(later, hits=weigh(moved_candidates, Weighting(), 1))
    shifts = compare(result(), later).papers.shifts
    assert [(shift.paper.paper_id, shift.left, shift.right) for shift in shifts] == [("one", 1, 1), ("three", 2, None)]


def test_a_capsule_is_compared_with_the_papers_of_an_open_corpus(pf, other_pf):
    search_result = pf.search("masers in orbit", top_k=3)
    capsule = open_capsule(pf.capsule(search_result, answer=pf.answer(search_result)))
    assert {each.outcome for each in check_against(capsule, pf.corpus)} == {Outcome.HOLDS}
    assert {each.outcome for each in check(capsule) if each.name != "candidates"} == {Outcome.HOLDS}
    assert {each.outcome for each in check_against(capsule, other_pf.corpus)} == {Outcome.FAILS}


# Hostile files --------------------------------------------------------------------------------------


def a_bomb() -> bytes:
    """Ten files of 30 MB each, in 300 kB."""
    buffer = io.BytesIO()
    names = (
        "capsule.json",
        "candidates.csv",
        "search.json",
        "candidates.json",
        "answer.json",
        "consensus.json",
        "map.json",
    )
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in names:
            archive.writestr(name, bytes(30_000_000))
    return buffer.getvalue()


def with_file(name: str) -> bytes:
    return repack(pack(result(), ORIGIN), lambda contents: contents.update({name: b"x"}))


def with_card(**fields: object) -> bytes:
    def change(contents: dict[str, bytes]) -> None:
        contents["capsule.json"] = json.dumps(json.loads(contents["capsule.json"]) | fields).encode()

    return repack(pack(result(), ORIGIN), change)


@pytest.mark.parametrize(
    ("capsule_bytes", "reason"),
    [
        (b"", "not a zip file"),
        (b"PK\x03\x04 and nothing more", "not a zip file"),
        (pack(result(), ORIGIN)[:-100], "not a zip file"),
        (with_file("../outside.json"), "it contains a file that does not belong in a capsule: '../outside.json'"),
        (with_file("/etc/passwd"), "it contains a file that does not belong in a capsule"),
        (repack(pack(result(), ORIGIN), lambda contents: contents.pop("search.json")), "it has no search.json"),
        (with_card(version=2), "its version is 2"),
        (with_card(format="something else"), "does not say that it is a pathfinder capsule"),
        (with_card(written_on="yesterday"), "written_on"),
        (alter(pack(result(), ORIGIN), "candidates.csv", b"0.8", b"nan"), "not a finite number"),
        (alter(pack(result(), ORIGIN), "candidates.csv", b"0.8", b"1e999"), "not a finite number"),
        (alter(pack(result(), ORIGIN), "candidates.csv", b"1,5,", b"1,-5,"), "is not a row"),
        (alter(pack(result(), ORIGIN), "candidates.csv", b"age_years", b"age"), "its columns are wrong"),
        (alter(pack(result(), ORIGIN), "candidates.csv", b"\n2,", b"\n2,9,"), "cells instead of"),
        (alter(pack(result(), ORIGIN), "search.json", b'"top_k": 2', b'"top_k": 2000'), "top_k"),
        (alter(pack(result(), ORIGIN), "search.json", b'"top_k": 2', b'"top_k": "2"'), "top_k"),
        (alter(pack(result(), ORIGIN), "search.json", b'"row": 5', b'"row": 5, "row": 6'), "occurs twice"),
        (repack(pack(result(), ORIGIN), lambda contents: contents.update({"map.json": b"[" * 100_000})), "map.json"),
    ],
)  # fmt: skip
def test_anything_else_is_refused_with_the_place_and_the_reason(capsule_bytes, reason):
    with pytest.raises(UsageError, match=r"^x\.pfz ") as error:
        open_capsule(capsule_bytes, "x.pfz")
    assert reason in str(error.value)


def test_a_bomb_is_refused_before_it_fills_the_memory():
    with pytest.raises(UsageError, match="its files are larger than 200,000,000 bytes"):
        open_capsule(a_bomb())


N_MUTATIONS = 250
STRANGE = (None, -1, 0, 10**6, 1.5, "", "nobody", "<img src=x onerror=alert(1)>", "\u0000\u202e", [], {}, True)


def mutate(value: object, luck: random.Random) -> object:
    """Return a copy of a JSON value with one of its parts replaced or removed."""
    if isinstance(value, dict) and value and luck.random() < 0.9:
        key = luck.choice(sorted(value))
        if luck.random() < 0.1:
            return {name: part for name, part in value.items() if name != key}
        return {**value, key: mutate(value[key], luck)}
    if isinstance(value, list) and value and luck.random() < 0.9:
        place = luck.randrange(len(value))
        return [*value[:place], mutate(value[place], luck), *value[place + 1 :]]
    return luck.choice(STRANGE)


def test_a_mutated_capsule_is_refused_or_shown_and_never_breaks_the_reader(pf):
    search_result = pf.search("how fast is the universe expanding?", top_k=4, passages=True)
    capsule_bytes = pf.capsule(search_result, answer=pf.answer(search_result))
    with zipfile.ZipFile(io.BytesIO(capsule_bytes)) as archive:
        contents = {name: json.loads(archive.read(name)) for name in ("search.json", "answer.json", "map.json")}
    luck, n_refused = random.Random(11), 0
    for _ in range(N_MUTATIONS):
        name = luck.choice(sorted(contents))
        strange = json.dumps(mutate(contents[name], luck)).encode()
        try:
            capsule = open_capsule(
                repack(capsule_bytes, lambda files, name=name, strange=strange: files.update({name: strange}))
            )
        except UsageError:
            n_refused += 1
            continue
        assert len(check(capsule)) > 3
        assert [*result_lines(capsule.result)]
        assert [*answer_lines(capsule.result, capsule.answer)]
        assert answer_record(capsule.result, capsule.answer)["query"]
        if capsule.answer.digest and capsule.answer.digest.findings:
            numbers = {paper.paper_id: (n, paper) for n, paper in enumerate(capsule.answer.sources, start=1)}
            assert "<img" not in "".join(digest_lines(capsule.answer.digest, numbers))
    assert 0 < n_refused < N_MUTATIONS


def test_the_key_of_an_add_on_that_is_not_loaded_is_a_secret_too(monkeypatch, tmp_path):
    monkeypatch.setenv("PATHFINDER_SOMETHING_TOKEN", "a-token-of-an-add-on")
    assert "a-token-of-an-add-on" in set(_secrets(tmp_path, Settings()))
