"""Stored screenings: no decision of two tabs or processes is lost, and files of 0.3.0 are taken over."""

import multiprocessing
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from pydantic import TypeAdapter

from pathfinder.addons.screening.decisions import Decision, Screening, ScreeningVerdict, create_session, read_session
from pathfinder.addons.screening.store import SCREENINGS, ScreeningStore, take_files
from pathfinder.corpus.manifest import corpus_name
from pathfinder.errors import StoreError
from pathfinder.types import CorpusName
from pathfinder.user_data.records import Record, Records
from tests.user_data.test_records import exchange
from tests.user_data.visits import MadeVisit

STARS = CorpusName("stars", "0" * 12, 3, "stars-1234abcd")
NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)
IDS = tuple(f"p{n}" for n in range(10))
DUST = Screening("dust", IDS, 50)


def decided(screening: Screening | None, *numbers: int) -> Screening:
    after = screening or DUST
    for n in numbers:
        after = after.decide(IDS[n], ScreeningVerdict.IN, NOON + timedelta(minutes=n))
    return after


def papers(screening: Screening) -> list[str]:
    return [each.paper_id for each in screening.decisions]


def test_decisions_of_two_tabs_are_united_and_what_one_undoes_stays_undone() -> None:
    here = MadeVisit()
    name = ScreeningStore(here, STARS).begin(decided(DUST, 0))
    there = here.tab()
    ScreeningStore(here, STARS).change(name, lambda before: decided(before and before.undo(), 1))
    ScreeningStore(there, STARS).change(name, lambda before: decided(before, 2, 3))
    exchange(SCREENINGS, here, there)
    assert here.records(SCREENINGS).text == there.records(SCREENINGS).text
    (screening,) = ScreeningStore(there, STARS).screenings().values()
    assert papers(screening) == ["p1", "p2", "p3"]


def test_a_screening_that_one_tab_deletes_does_not_come_back_with_a_decision_of_another() -> None:
    here = MadeVisit()
    name = ScreeningStore(here, STARS).begin(DUST)
    there = here.tab()
    ScreeningStore(here, STARS).change(name, lambda _: None)
    ScreeningStore(there, STARS).change(name, lambda before: decided(before, 2))
    exchange(SCREENINGS, here, there)
    assert ScreeningStore(here, STARS).screenings() == ScreeningStore(there, STARS).screenings() == {}


def test_the_screening_that_was_changed_last_is_the_first(tmp_path: Path) -> None:
    store = ScreeningStore(tmp_path, STARS)
    first, second = store.begin(DUST), store.begin(DUST)
    assert [*store.screenings()] == [second, first]
    store.change(first, lambda before: decided(before, 4))
    assert [*store.screenings()] == [first, second]


@pytest.mark.parametrize("text", ["{}", "{", '{"question": "dust", "paper_ids": ["a"], "n_identified": 1}'])
def test_a_record_that_is_no_screening_is_refused(text: str) -> None:
    visit = MadeVisit({SCREENINGS.table: Records({1: Record(0, (STARS.ids[0], "name", text))})})
    with pytest.raises(StoreError, match="this browser's storage holds a screening that cannot be read"):
        ScreeningStore(visit, STARS).screenings()


# Files of 0.3.0.


@pytest.fixture
def files(tmp_path: Path, golden_corpus: Path) -> Path:
    """The folder of the owner's screenings: one of the golden corpus, one of a corpus that is gone, one of none."""
    folder = tmp_path / "data" / "screenings"
    folder.mkdir(parents=True)
    create_session(folder / "dust.json", golden_corpus.resolve(), decided(DUST, 5, 3))
    create_session(folder / "moved.json", tmp_path / "gone", decided(DUST, 7))
    (folder / "broken.json").write_text("{", encoding="utf-8")
    return folder


def test_files_are_taken_over_whole_and_stay_as_a_backup(files: Path, golden_corpus: Path) -> None:
    before = (files / "dust.json").read_bytes()
    golden = ScreeningStore(files.parent, corpus_name(golden_corpus))
    problems = take_files(files.parent, STARS, ())
    assert golden.screenings() == {"dust": decided(DUST, 5, 3)}
    assert (files / "dust.json.bak").read_bytes() == before
    assert sorted(path.name for path in files.glob("*.json")) == ["broken.json", "moved.json"]
    assert [name for name in ("broken", "moved") if any(f"{name}.json" in each for each in problems)] == [
        "broken",
        "moved",
    ]
    assert len(take_files(files.parent, STARS, IDS)) == 1  # this library has the papers of the one that is gone
    assert ScreeningStore(files.parent, STARS).screenings() == {"moved": decided(DUST, 7)}


def test_the_command_that_lists_them_takes_files_over_closed_to_others(
    run, files: Path, golden_corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATHFINDER_DATA", str(files.parent))
    for path in (files, *files.iterdir()):
        path.chmod(0o755 if path.is_dir() else 0o644)
    listed = run("screen", "list", golden_corpus)
    assert listed.out == "dust: dust: 2 of 10 read, 2 in\n"
    assert [name for name in ("broken", "dust", "moved") if f"{name}.json" in listed.err] == ["broken", "moved"]
    assert (files / "dust.json.bak").exists()
    assert [path for path in (files, *files.iterdir()) if path.stat().st_mode & 0o077] == []


def test_a_file_that_an_earlier_version_writes_again_adds_its_decisions(files: Path, golden_corpus: Path) -> None:
    store = ScreeningStore(files.parent, corpus_name(golden_corpus))
    take_files(files.parent, STARS, ())
    store.change("dust", lambda before: decided(before, 1))
    create_session(files / "dust.json", golden_corpus.resolve(), decided(DUST, 5, 3, 8))
    take_files(files.parent, STARS, ())
    assert papers(store.screenings()["dust"]) == ["p5", "p3", "p1", "p8"]
    create_session(files / "dust.json", golden_corpus.resolve(), Screening("dust", IDS[:4], 50))
    take_files(files.parent, STARS, ())
    assert [*store.screenings()] == ["dust 2", "dust"]


def test_nothing_is_left_of_a_screening_that_was_taken_over_and_deleted(
    run, files: Path, golden_corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATHFINDER_DATA", str(files.parent))
    store = ScreeningStore(files.parent, corpus_name(golden_corpus))
    for screening in (Screening("dust", IDS[:4], 50), Screening("dust", IDS[:5], 50)):
        take_files(files.parent, STARS, ())
        create_session(files / "dust.json", golden_corpus.resolve(), screening)
    take_files(files.parent, STARS, IDS)
    store.change("dust", lambda _: None)
    assert {path.stem for path in files.glob("*.bak")} == {"dust 2 2.json", "dust 2.json", "moved.json"}
    run("data", "delete", corpus_name(golden_corpus).ids[0])
    assert [path.name for path in files.glob("*.bak")] == ["moved.json.bak"]


def test_a_link_to_nowhere_among_the_files_keeps_no_other_from_being_taken(files: Path, golden_corpus: Path) -> None:
    (files / "a.json").symlink_to("nowhere")
    assert any("a.json" in each for each in take_files(files.parent, STARS, ()))
    assert [*ScreeningStore(files.parent, corpus_name(golden_corpus)).screenings()] == ["dust"]


def test_a_folder_that_cannot_be_used_is_a_problem_with_its_files_and_no_crash(files: Path) -> None:
    (files / ".lock").mkdir()
    (problem,) = take_files(files.parent, STARS, ())
    assert str(files) in problem
    assert (files / "dust.json").exists()


def test_a_decision_is_stored_without_what_it_leaves_open_and_earlier_rows_are_read_as_before() -> None:
    earlier = TypeAdapter(Decision).dump_json(decided(DUST, 5).decisions[0]).decode()
    visit = MadeVisit()
    name = ScreeningStore(visit, STARS).begin(decided(DUST, 3))
    rows = visit.records(SCREENINGS).by_id
    assert "null" not in visit.records(SCREENINGS).text
    visit.keep(SCREENINGS, Records({**rows, max(rows) + 1: Record(1, (STARS.ids[0], name, earlier))}))
    assert papers(ScreeningStore(visit, STARS).screenings()[name]) == ["p3", "p5"]


def take_and_decide(data: str, corpus: str, numbers: Sequence[int]) -> None:
    take_files(Path(data), STARS, ())
    for n in numbers:
        ScreeningStore(Path(data), corpus_name(Path(corpus))).change("dust", lambda before, n=n: decided(before, n))  # type: ignore[misc]


def test_processes_that_begin_at_once_take_a_file_once_and_lose_no_decision(files: Path, golden_corpus: Path) -> None:
    arguments = [(str(files.parent), str(golden_corpus), numbers) for numbers in ((0, 1), (2, 4), (6, 7))]
    with multiprocessing.get_context("fork").Pool(3) as pool:
        pool.starmap(take_and_decide, arguments, chunksize=1)
    (screening,) = ScreeningStore(files.parent, corpus_name(golden_corpus)).screenings().values()
    assert papers(screening)[:2] == ["p5", "p3"]
    assert sorted(papers(screening)) == [f"p{n}" for n in (0, 1, 2, 3, 4, 5, 6, 7)]


def test_a_screening_of_the_page_goes_back_to_a_file(run, files: Path, golden_corpus: Path, monkeypatch) -> None:
    monkeypatch.setenv("PATHFINDER_DATA", str(files.parent))
    take_files(files.parent, STARS, ())
    assert run("screen", "list", golden_corpus, "--to", files).out == "dust: dust: 2 of 10 read, 2 in\n"
    assert read_session(files / "dust.json") == (golden_corpus.resolve(), decided(DUST, 5, 3))


def test_screenings_are_written_as_files_all_or_none(run, tmp_path: Path, golden_corpus: Path, monkeypatch) -> None:
    monkeypatch.setenv("PATHFINDER_DATA", str(tmp_path))
    store, target = ScreeningStore(tmp_path, corpus_name(golden_corpus)), tmp_path / "written"
    name = store.begin(DUST)
    run("screen", "list", golden_corpus, "--to", target)
    store.begin(DUST)  # the last, which comes first
    assert f"{name}.json already exists" in run("screen", "list", golden_corpus, "--to", target).err
    assert [path.name for path in target.iterdir()] == [f"{name}.json"]
