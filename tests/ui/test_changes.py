from pathfinder.types import Change, FactKind
from pathfinder.ui.answer.rewrite import highlight


def change(text, part):
    start = text.index(part)
    return Change(FactKind.NUMBER, part, start, start + len(part), "")


def marked_text(text, *parts):
    return highlight(text, [change(text, part) for part in parts], "red", lambda piece: piece.strip())


def test_what_changed_has_a_background_and_the_rest_is_as_it_was():
    assert marked_text("It is 73 or 67 .", "67", "73") == "It is :red-background[73] or :red-background[67] ."


def test_white_space_and_lines_stay():
    assert marked_text("One.\n\nIt is 73.\n", "73") == "One.\n\nIt is :red-background[73].\n"


def test_a_formula_and_a_citation_are_marked_whole():
    assert (
        marked_text("It is $7 \\pm 3$ [1, 9?].", "7", "9")
        == "It is :red-background[$7 \\pm 3$] :red-background[[1, 9?]]."
    )


def test_places_that_overlap_are_one():
    assert marked_text("It is 73 km/s.", "73 km", "km/s") == "It is :red-background[73 km/s]."


def test_nothing_changed_is_nothing_marked():
    assert marked_text("It is so.") == "It is so."
