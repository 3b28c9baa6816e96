from streamlit.testing.v1 import AppTest


def page():
    import datetime
    from dataclasses import replace

    from pathfinder.answering.ads_query.check import check_ads_query
    from pathfinder.answering.ads_query.query_from_question import read_for_ads
    from pathfinder.ui.answer.panel import _ads_query

    reading = read_for_ads("refereed papers citing Spitzer observations", datetime.date(2024, 7, 1))
    checked = check_ads_query(reading.query or "")
    _ads_query(replace(checked, parts=reading.parts, operator=reading.operator, unread=reading.unread))


def test_a_part_of_an_ads_query_is_taken_away_by_a_click_and_the_query_can_be_changed():
    app = AppTest.from_function(page).run()
    assert not app.exception
    assert app.text_input[0].value == "citations(bibgroup:Spitzer) property:refereed"
    (parts,) = app.button_group
    parts.set_value([place for place in parts.value if place != 1]).run()
    assert not app.exception
    assert app.text_input[0].value == "citations(bibgroup:Spitzer)"
    app.text_input[0].set_value("year:twenty").run()
    assert [warning.value for warning in app.warning] != []
