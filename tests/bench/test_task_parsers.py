"""What an agent of the task benchmark reads in the answers of each side."""

import json

from bench.tasks import json_answers, snapshots, text_answers
from bench.tasks.model import Item, Seen, Target, button, check, choice, field, link, pick

TEXT = """\
tab-1 "Add book" http://127.0.0.1/add/ 1280x720
[form frm-3243]
  inp-7cf4 "Title" [*, = "Kindred"]
  Author
  sel-a1b2 "" [= "[B] \\"x\\"", 12 options]
| Silent Tide | lnk-8d01 "Ann Lee" | 4 | btn-03ae "Order"
| Low Water | lnk-8d02 "Bo Marsh" |  | btn-03af "Order" [disabled]
* ### lnk-34c1 "Blue Compass 1"
  £59.88
  chk-364e-2 "" [ ]
34 results
"""


def ref(target: Target, seen: Seen) -> str | None:
    item = pick(target, seen.items)
    return item.ref if item else None


def test_controls_of_a_text_page_have_kinds_names_and_rows() -> None:
    seen = text_answers.parse(TEXT)
    assert seen.whole
    assert seen.tab == "tab-1"
    assert ref(field("title"), seen) == "inp-7cf4"
    assert ref(button("Order", row="Low Water"), seen) == "btn-03af"
    assert ref(button("Order", nth=1), seen) == "btn-03af"
    assert ref(button("Order", row="Low"), seen) == "btn-03af"
    assert ref(button("Order", row="Lo"), seen) is None
    assert ref(check(None, row="Blue Compass 1"), seen) == "chk-364e-2"


def test_a_control_without_a_name_is_found_by_the_text_before_it() -> None:
    assert ref(choice("Author"), text_answers.parse(TEXT)) == "sel-a1b2"


def test_text_is_read_without_ids_marks_and_states() -> None:
    text = text_answers.parse(TEXT).text
    assert "Silent Tide Ann Lee 4 Order Low Water" in text
    assert "Blue Compass 1 £59.88" in text
    assert "Title Kindred Author" in text


def test_changes_in_text_add_replace_and_remove() -> None:
    seen = text_answers.parse(
        'tab-1\n~ 3 of 4 → 4 of 4\n- btn-0a46 "Rem"\n+ btn-8234 "New"\n'
        '~ | Ash | lnk-01aa "1" → lnk-01ab "1" | lnk-01ac "up" → lnk-01ac "down"\n'
        '! tab-2 opened: "" x'
    )
    assert seen.changes
    assert not seen.whole
    assert seen.gone == {"btn-0a46", "lnk-01aa"}
    assert seen.text.startswith("tab-1 4 of 4 New")
    assert [item.ref for item in seen.items] == ["btn-8234", "lnk-01ab", "lnk-01ac"]
    assert seen.opened == ("tab-2",)


def test_the_order_of_a_sorted_list_and_kept_parts_are_read() -> None:
    seen = text_answers.parse("tab-1\n! table sorted: 3 rows, now first: Ash, Low Tide 2\n~ x")
    assert seen.order == ("Ash", "Low Tide 2")
    page = text_answers.parse('tab-1 "A" u\n[header] … 6 controls as before\nText')
    assert page.whole
    assert page.keeps


def test_a_batch_in_text_shows_steps_or_the_pages_after_them() -> None:
    finds = '1 find: ok\n  btn-1a2b "Go"\n2 find: ok\n  no elements found'
    assert [len(seen.items) for seen in text_answers.parse_steps(finds)] == [1, 0]
    pages = '1 tab_open: ok\n2 tab_open: ok\ntab-3 "A" u 9x9\nOne\ntab-4 "B" v 9x9\nTwo'
    assert [seen.tab for seen in text_answers.parse_steps(pages)] == ["tab-3", "tab-4"]
    changed = (
        '1 tab_open: ok\n2 tab_open: ok\ntab-3 "A" u 9x9\n£5\nbtn-1a2b "Go"\nbtn-1a2c "No"\n'
        'tab-4 "B" v\n! changes against tab-3:\n~ £5 → £6\n- btn-1a2c "No"\n'
    )
    _, other = text_answers.parse_steps(changed)
    assert ref(button("Go"), other) == "btn-1a2b"
    assert ref(button("No"), other) is None
    assert other.text.index("£6") < other.text.index("£5")
    modes = (
        '1 observe: ok\n  > PAGE: u | t\n  > CONTENT:\n  >   TEXT "£5"\n2 observe: ok\n  > PAGE: v'
    )
    assert text_answers.parse_steps(modes)[0].text.endswith("CONTENT: £5")


def test_json_pages_and_changes_are_read() -> None:
    record = {"id": "btn-1a2b", "type": "button", "label": "Go", "near": "Ash 4"}
    page = json_answers.parse(json.dumps({"tab_id": "tab-1", "structure": {}, "list": [record]}))
    assert page.whole
    assert page.items == (Item("btn-1a2b", "button", "Go", "Ash 4", "Ash 4"),)
    changes = [
        {"type": "added", "element": "btn-1a2b", "to": record},
        {"type": "removed", "element": "btn-2a2b", "detail": 'button "No"'},
        {"type": "changed", "property": "text", "from": "Old", "to": "New"},
    ]
    delta = json_answers.parse(json.dumps({"delta": {"changes": changes}}))
    assert delta.changes
    assert delta.gone == {"btn-2a2b"}
    assert "New" in delta.text
    assert "Old" not in delta.text
    assert ref(button("go"), delta) == "btn-1a2b"


def test_lines_of_a_text_mode_are_read_without_their_marks() -> None:
    seen = json_answers.parse('LIST [1 items]\n  1. "Blue"\n    TEXT "£5"\n{"tab_id":"tab-1"}')
    assert "Blue £5" in seen.text


SNAPSHOT = """\
### Open tabs
- 0: [A](http://127.0.0.1/a)
- 1: (current) [B](http://127.0.0.1/b)
### Snapshot
```yaml
- generic [active] [ref=e1]:
  - row [ref=e2]:
    - columnheader "Status" [ref=e3]
      ...
    - 'cell "open: 1" [ref=e4]':
      - combobox [ref=e5]:
        - option "open: 1" [selected]
    - link "(list)" [ref=e6] [cursor=pointer]:
      - /url: "#"
  - button [ref=e7]:
    - emphasis [ref=e8]: Sign in
  - text: "4 results"
```
"""


def test_a_snapshot_is_read_with_rows_labels_and_tabs() -> None:
    seen = snapshots.parse(SNAPSHOT)
    assert ref(choice("Status"), seen) == "e5"
    assert ref(link("(list)", row="Status"), seen) == "e6"
    assert ref(button("Sign in"), seen) == "e7"
    assert "4 results" in seen.text
    assert seen.opened == ("0", "1")
