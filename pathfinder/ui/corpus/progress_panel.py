"""Builds and updates on the page: progress, Stop, Resume, and the report at the end."""

from pathlib import Path
from typing import Any

import streamlit as st

from pathfinder.corpus.manifest import is_corpus
from pathfinder.operations.child.orders import Child, Order, OrderState, StageProgress
from pathfinder.operations.upkeep import MOST_TWINS
from pathfinder.sources.record_lookup import OPTIONAL
from pathfinder.text.english import counted
from pathfinder.text.latex.display import for_markdown, with_options
from pathfinder.ui.corpus import permissions, works
from pathfinder.ui.corpus.uploads import is_path, is_upload
from pathfinder.ui.settings import controls
from pathfinder.ui.shared import visit_corpus
from pathfinder.ui.shared.frame import script

POLL_SECONDS = 1.0
_MOST_NOTES = 3
_RECORD_COUNTS = {
    "merged": "merged",
    "left_out": "left out, because they were removed before",
    "rejected": "rejected",
    "conflicts": "conflicts",
}
_BUILD_COUNTS = {"n_new": "new", "n_known": "already there", "n_changed": "changed, but kept as they were"}
_BUILD_COUNTS |= {f"n_{name}": words for name, words in _RECORD_COUNTS.items()}
_UPDATE_COUNTS = {each: each for each in ("new", "changed", "withdrawn", "retracted", "unchanged")} | _RECORD_COUNTS
_FILLED_COUNTS = {"n_filled": "gaps filled", "n_missing": "gaps left", "n_conflicts": "conflicts"}
_EARLIER_COUNTS = {"n_papers_before": "before"}
_TEXT_COUNTS = {"n_added": "added", "n_stored_before": "stored before", "n_rejected": "rejected"}
_WORDS: dict[str, tuple[str, str, dict[str, str]]] = {
    "build": ("Building", "is ready", _BUILD_COUNTS | _FILLED_COUNTS),
    "update": ("Updating", "is updated", _UPDATE_COUNTS),
    "rollback": ("Going back to the earlier version of", "is back at its earlier version", _EARLIER_COUNTS),
    "remove": ("Removing papers from", "has fewer papers", {"n_removed": "removed"}),
    "merges": ("Undoing a merge in", "has one fewer merge", {}),
    "update --re-embed": ("Re-embedding", "has new vectors and a new map", {}),
    "fulltext add": ("Adding full texts to", "is ready: all files have been read", _TEXT_COUNTS),
    "complete": ("Fetching what is missing for", "has what could be fetched", _FILLED_COUNTS),
}
"""What is said of an order while it is carried out and once it is complete, and the counts that its report names."""


def panel(may: permissions.Permissions, home: Path) -> None:
    """Show every build and update that this visitor may see."""
    for folder, child in works.all_works(is_owner=may.is_owner).items():
        if child.state in (OrderState.RUNNING, OrderState.COMPLETE):
            with st.container(border=True):
                _work(folder, child)
        else:
            # Emptied first: otherwise the buttons of a build that has just ended stay next to those offered now for as
            # long as this run takes.
            with st.empty().container(border=True):
                if child.state is OrderState.FAILED:
                    st.error(for_markdown(in_plain_names(child.error, child.order)))
                stopped = f"{_words(child.order)[0]} {for_markdown(folder.name)} was stopped."
                _offer_to_resume(child.order, may, home, stopped if child.state is OrderState.STOPPED else "")
    for order in works.resumable(home, is_owner=may.is_owner).values():
        with st.container(border=True):
            _offer_to_resume(order, may, home, f"{_words(order)[0]} {for_markdown(order.folder.name)} was cut short.")


def _words(order: Order) -> tuple[str, str, dict[str, str]]:
    return _WORDS["update --re-embed" if order.options.get("re_embed") else order.work]


def _work(folder: Path, child: Child) -> None:
    """Draw an order that is carried out or complete. What opens its library stands in the same place in both, outside
    the part that is drawn every second: a press there would be lost at the moment of the end.
    """
    name, order, can_open = for_markdown(folder.name), child.order, is_corpus(folder)
    report = (child.result or {}) if child.state is OrderState.COMPLETE else None
    verb, ending, counted_names = _words(order)
    if report is None:
        st.markdown(f"**{verb} {name}**")
    elif can_open:
        counts = _text_counts(report) if order.work == "fulltext add" else report
        st.markdown(f":green[:material/check_circle:] **{name} {ending}. {report_text(counts, counted_names)}**")
    else:
        st.warning(f"{name} was not built: none of the files was recognised.")
    with st.container(horizontal=True):
        if order.work == "build" or folder != visit_corpus.folder_of_visit():
            key = f"ask-this-{folder}"
            if st.button("Ask this library", key=key, type="primary", icon=":material/search:", disabled=not can_open):
                visit_corpus.choose(folder)
                st.switch_page(script("ask"))
        if report is None:
            st.button("Stop", key=f"stop-{folder}", icon=":material/stop_circle:", on_click=child.stop)
        else:  # elsewhere: who presses Stop or asks as the build ends dismisses nothing
            st.space("stretch")
            st.button("Dismiss", key=f"dismiss-{folder}", type="tertiary", on_click=works.forget, args=(folder,))
    with st.empty().container():
        if report is None:
            st.fragment(_running, run_every=POLL_SECONDS)(folder, child, could_open=can_open)
        else:
            _report(order, report)


def _running(folder: Path, child: Child, *, could_open: bool) -> None:
    if child.state is not OrderState.RUNNING or is_corpus(folder) != could_open:
        st.rerun()
    stage, seconds = child.stage
    if stage.total:
        st.progress(min(stage.n_done / stage.total, 1.0), stage_text(stage, seconds))
    else:
        st.caption(stage_text(stage, seconds))
    for note in child.notes[-_MOST_NOTES:]:
        st.caption(for_markdown(in_plain_names(note, child.order)))


def stage_text(stage: StageProgress, seconds: float) -> str:
    """Describe the progress of a stage: steps, rate and, if the number of steps is known, the time left."""
    name = stage.name.capitalize()
    if not stage.n_done or seconds <= 0 or stage.is_over:
        return f"{name}, {seconds:.0f} s"
    rate = stage.n_done / seconds
    if stage.total is None:
        return f"{name}: {stage.n_done:,}, {rate:,.1f} a second"
    seconds_left = max(stage.total - stage.n_done, 0) / rate
    return f"{name}: {stage.n_done:,} of {stage.total:,}, {rate:,.1f} a second, {seconds_left:,.0f} s left"


def _report(order: Order, report: dict[str, Any]) -> None:
    for failure in report.get("failed", ()) if order.work == "update" else ():
        reason, source = in_plain_names(failure["reason"], order), failure["source"]
        if is_path(source) and is_upload(source):  # visitors see no path
            reason = reason.replace(source, Path(source).name)
        st.warning(f"Not read, and left as it was: {for_markdown(reason)}")
    if order.work == "build" and report.get("n_changed"):
        st.caption("To apply the changes to these papers, update the library.")
    if twins := report.get("twins", ()):
        pairs = "; ".join(" and ".join(pair) for pair in twins[:MOST_TWINS])
        more = f"; and {len(twins) - MOST_TWINS:,} more" if len(twins) > MOST_TWINS else ""
        says = "These look like the same paper twice in one file, and are kept apart; those of two files are merged: "
        st.caption(for_markdown(f"{says}{pairs}{more}"))
    for source, why in report.get("not_asked", {}).items():
        say, reason = st.caption if source in OPTIONAL else st.warning, why.removeprefix("not asked: ")
        say(f"Not asked: {for_markdown(reason if source in OPTIONAL else f'{source}: {reason}')}")
    if order.work == "fulltext add":
        _texts(report)
        return
    if order.work in ("build", "complete"):
        files, names = report.get("files", ()), dict(zip(order.files, order.names, strict=False))
        if files:
            n_known = sum(each["paper_id"] is not None for each in files)
            st.markdown(f"**{n_known} of {len(files)} files recognised**")
        for each in files:
            if each["why"]:
                name = names.get(each["file"], Path(each["file"]).name)
                lines = "".join(f"\n  - {for_markdown(line)}" for line in each["first_lines"])
                st.markdown(f"- {for_markdown(name)}: {with_options(each['why'])}{lines}")
        if shelves := report.get("shelves"):
            st.markdown(
                "Shelves from Zotero: " + for_markdown(", ".join(f"{name} ({n:,})" for name, n in shelves.items()))
            )
        if refused := report.get("refused", {}):
            st.markdown("**Collections of Zotero that did not become shelves**")
        for name, why in refused.items():
            st.markdown(f"- {for_markdown(name)}: {for_markdown(why)}")


def _texts(report: dict[str, Any]) -> None:
    added_texts = {each["file"]: each for each in report["added"]}
    reasons = {each["file"]: each["reason"] for each in report["rejected"]}
    rows = []
    for each in report["matched"]:
        if each["file"] not in reasons:
            outcome = each["by"]
            if added := added_texts.get(each["file"]):
                in_place = f", in place of {added['replaced']}" if added["replaced"] else ""
                outcome = f"{added['road']}, by {outcome}{in_place}"
            rows.append({"File": each["file"], "Paper": each["paper_id"], "Text": outcome})
    if rows:
        st.dataframe(rows, hide_index=True, alt=f"{len(rows)} files, with their papers")
    if reasons:
        st.markdown("\n".join(f"- {for_markdown(file)}: {with_options(reason)}" for file, reason in reasons.items()))


def _text_counts(report: dict[str, Any]) -> dict[str, int]:
    added_files, rejected_files = ({each["file"] for each in report[name]} for name in ("added", "rejected"))
    n_stored = len({each["file"] for each in report["matched"]} - added_files - rejected_files)
    return {"n_added": len(added_files), "n_stored_before": n_stored, "n_rejected": len(rejected_files)}


def report_text(report: dict[str, Any], names: dict[str, str]) -> str:
    """Write the number of papers in the corpus, followed by those counts in the report that are not 0."""
    numbers = ((report.get(key, 0), name) for key, name in names.items())
    counts = ", ".join(
        f"{n:,} {name.removesuffix('s').replace('gaps ', 'gap ') if n == 1 else name}" for n, name in numbers if n
    )
    if names and not counts:
        counts = "nothing new"
    total = counted(report["n_papers"], "paper") if "n_papers" in report else ""
    seconds = f", in {report['seconds']:.0f} s" if "seconds" in report else ""
    return f"{': '.join(filter(None, (total, counts)))}{seconds}."


def _offer_to_resume(order: Order, may: permissions.Permissions, home: Path, words: str) -> None:
    are_gone = order.can_resume and any(is_upload(file) and not Path(file).exists() for file in order.files)
    can_resume = order.can_resume and not are_gone
    if are_gone:
        st.warning("The files that were dropped here are gone: discard this, and drop them again.")
    if words:
        st.info(f"{words} Nothing was damaged{', and what has been read or embedded is kept' if can_resume else ''}.")
    if can_resume:
        permissions.fields(may, order.options.get("sources", ()), f"resume-{order.folder}")
    with st.container(horizontal=True):
        icon = ":material/play_arrow:"
        if can_resume and st.button("Resume", key=f"resume-{order.folder}", type="primary", icon=icon):
            with controls.reporting():
                works.begin(order, home, permissions.environment(may, order.folder))
        label, key = "Discard" if order.can_resume else "Dismiss", f"discard-{order.folder}"
        st.button(label, key=key, on_click=works.discard, args=(order, home))


def in_plain_names(text: str, order: Order) -> str:
    """Return `text` with names in place of paths that visitors did not type: the path of the corpus, and those of
    uploaded files, which are in hidden folders.
    """
    for file in order.files:
        if is_upload(file):
            text = text.replace(file, Path(file).name)
    return text.replace(str(order.folder), order.folder.name) if order.folder != Path() else text
