"""upload: accepted elements, allowed files and their number."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.whole.answers import new_texts
from tests.whole.cases import case
from tests.whole.tabs import Tab

pytestmark = pytest.mark.chromium

SHOWS = """<output id=o></output><script>
  const read = async (file) => `${file.name}=${await file.text()}`;
  const write = async (files) => {
    o.textContent = (await Promise.all([...files].map(read))).join(' ');
  };
  globalThis.show = (files) => { globalThis.shown = write(files); };
</script>"""
CHOSEN = "(async () => { await globalThis.shown; return o.textContent; })()"


@pytest.fixture
def paths(shots: Path) -> list[str]:
    """Write two files into the output directory, which is a root."""
    shots.mkdir(exist_ok=True)
    for name in ("one.txt", "two.txt"):
        (shots / name).write_text(name[:3])
    return [str(shots / "one.txt"), str(shots / "two.txt")]


@pytest.mark.parametrize("field", [
    "<input type=file multiple aria-label=Files accept='{}' onchange='show(this.files)'>",
    """<button onclick='f.click()'>Files</button>
    <input id=f type=file multiple accept='{}' onchange='show(this.files)' hidden>""",
])  # fmt: skip
def test_an_input_gets_files_with_a_note_on_those_of_another_kind_than_it_asks_for(
    tab: Tab, paths: list[str], field: str
) -> None:
    for accept, is_noted in [
        ("image/*, .pdf", True), ("text/csv", True), (".CSV,.Txt", False), ("text/*", False),
    ]:  # fmt: skip
        with case(accept):
            tab.open(field.format(accept) + SHOWS)
            answer = tab.call("upload", element_id=tab.find("Files"), paths=paths)
            said = f"asks for \"{accept}\": the page may leave out 'one.txt', 'two.txt'."
            assert (said in answer.get("note", "")) is is_noted
            assert tab.js(CHOSEN) == "one.txt=one two.txt=two"
            assert answer["delta"]["changes"]


UPLOADING = """<form><label>Name<input name=name></label>
  <input type=file name=one aria-label=Letter><input type=file name=all multiple aria-label=Files>
</form>"""
GIVEN = """JSON.stringify([document.forms[0].elements.name.value,
  ...[...document.querySelectorAll('[type=file]')].map((i) => [...i.files].map((f) => f.name))])"""


def test_fill_form_gives_files_to_file_inputs_among_other_fields(
    tab: Tab, paths: list[str]
) -> None:
    tab.open(UPLOADING)
    fields = [
        {"element_id": tab.find("Name"), "value": "Ada"},
        {"element_id": tab.find("Letter"), "value": paths[1]},
        {"element_id": tab.find("Files"), "value": ["one.txt", "two.txt"]},
    ]

    tab.call("fill_form", fields=fields)

    assert json.loads(tab.js(GIVEN)) == ["Ada", ["two.txt"], ["one.txt", "two.txt"]]


def test_fill_form_fills_nothing_if_a_file_cannot_be_given(tab: Tab, paths: list[str]) -> None:
    tab.open(UPLOADING)
    cases: list[Any] = [
        ("Letter", "/etc/passwd", "'/etc/passwd' is outside the roots"),
        ("Letter", "none.txt", "'none.txt' does not exist"),
        ("Letter", ["one.txt", "two.txt"], "takes one file, not 2"),
        ("Files", True, "takes a path or a list of paths, not true"),
        ("Files", [], "takes a path or a list of paths"),
    ]

    for label, value, problem in cases:
        with case(label, value, problem):
            fields = [
                {"element_id": tab.find("Name"), "value": "Ada"},
                {"element_id": tab.find(label), "value": value},
            ]

            error = tab.refused("fill_form", fields=fields)

            assert "Nothing was filled in." in error["message"]
            assert problem in error["message"]
            assert json.loads(tab.js(GIVEN)) == ["", [], []]


def test_upload_accepts_an_element_in_front_of_an_input(tab: Tab, paths: list[str]) -> None:
    cases = [
        "<label>Add<input type=file hidden onchange='show(this.files)'></label>",
        """<button onclick="i.click()">Add</button>
           <input id=i type=file style=display:none onchange='show(this.files)'>""",
        """<button onclick="const i = document.createElement('input'); i.type = 'file';
           i.onchange = () => show(i.files); setTimeout(() => i.click(), 50)">Add</button>""",
        """<div role=button tabindex=0>Add<input type=file
           style="position:absolute;opacity:0;width:1px" onchange='show(this.files)'></div>""",
        """<button ondragover="event.preventDefault()"
           ondrop="event.preventDefault(); show(event.dataTransfer.files)">Add</button>""",
        """<form onsubmit="document.title = 'sent'; return false"><button>Add</button>
           <input type=file onchange='show(this.files)'></form>""",
    ]

    for front in cases:
        with case(front):
            tab.open(front + SHOWS)

            tab.call("upload", element_id=tab.find("Add"), paths=["one.txt"])

            assert tab.js(CHOSEN) == "one.txt=one"
            assert tab.js("document.title") != "sent"


def test_upload_drops_files_on_a_drop_zone_without_a_click(tab: Tab, paths: list[str]) -> None:
    cases = [
        "zone.addEventListener('drop', take)",
        "zone.ondrop = take",
        "zone.setAttribute('ondrop', 'take(event)')",
    ]

    for listens in cases:
        with case(listens):
            tab.open(f"""<div id=zone onclick="document.title = 'clicked'">Drop here</div>{SHOWS}
      <script>const take = (event) => {{ event.preventDefault(); show(event.dataTransfer.files) }};
      zone.ondragover = (event) => event.preventDefault(); {listens}</script>""")

            tab.call("upload", element_id=tab.find("Drop here"), paths=paths)

            assert tab.js(CHOSEN) == "one.txt=one two.txt=two"
            assert tab.js("document.title") == "Written"


def test_upload_gives_a_file_to_an_input_in_a_frame(tab: Tab, paths: list[str]) -> None:
    inner = tab.web.write(f"<input type=file aria-label=In onchange='show(this.files)'>{SHOWS}")
    other = tab.web.url(inner, host="localhost")
    tab.open(f"<iframe src='{other}' width=400></iframe>")

    answer = tab.call("upload", element_id=tab.find("In"), paths=paths[:1])

    assert "one.txt=one" in new_texts(answer)


def test_files_outside_the_roots_are_refused_before_any_change(
    tab: Tab, paths: list[str], shots: Path, tmp_path: Path
) -> None:
    tab.open(f"<input type=file aria-label=Files onclick='show([])'>{SHOWS}")
    secret = tmp_path / "secret.txt"
    secret.write_text("secret")
    (shots / "link.txt").unlink(missing_ok=True)
    (shots / "link.txt").symlink_to(secret)

    for path in (str(secret), "/etc/passwd", str(shots / ".." / "x"), str(shots / "link.txt")):
        error = tab.refused("upload", element_id=tab.find("Files"), paths=[paths[0], path])
        assert error["code"] == "INVALID_ARGUMENT"
        assert str(shots) in error["suggestion"]

    assert tab.js("document.querySelector('input').files.length") == 0


def test_upload_refuses_an_element_that_takes_no_files(tab: Tab, paths: list[str]) -> None:
    before = tab.open("<button>Push</button>")["url"]

    error = tab.refused("upload", element_id=tab.find("Push"), paths=paths)

    assert error["code"] == "ELEMENT_NOT_INTERACTIVE"
    assert "takes no files" in error["message"]
    assert tab.js("location.href") == before


def test_a_click_that_opens_a_file_chooser_suggests_upload(tab: Tab) -> None:
    cases = [
        "<input type=file aria-label=Go>",
        "<button onclick='i.click()'>Go</button><input id=i type=file hidden>",
        """<iframe srcdoc="<button onclick='i.click()'>Go</button><input id=i type=file hidden>">
           </iframe>""",
    ]

    for markup in cases:
        with case(markup):
            tab.open(markup)

            [notice] = tab.click("Go")["notices"]

            assert "Pass them to upload" in notice


@pytest.mark.parametrize("after", ["this.remove()", "this.hidden = true", "this.disabled = true"])
def test_an_open_file_chooser_gets_the_files_if_what_opened_it_is_no_longer_usable(
    tab: Tab, paths: list[str], after: str
) -> None:
    opens = (
        "const f = document.createElement('input'); f.type = 'file'; f.accept = '.a'; f.click();"
    )
    tab.open(f"""{SHOWS}<button onclick="{opens} f.onchange = () => show(f.files); {after}">
      Go</button><button>Other</button>""")
    go, other = tab.find("Go"), tab.find("Other")

    tab.call("click", element_id=go)
    answer = tab.call("upload", element_id=go, paths=paths[:1])
    later = tab.refused("upload", element_id=other, paths=paths[:1])

    assert tab.js(CHOSEN) == "one.txt=one"
    assert f"got the files, not {go}. {go} asks for" in answer["note"]
    assert "takes no files" in later["message"]


def test_a_drop_zone_handled_by_an_ancestor_is_clicked_first_with_a_note(
    tab: Tab, paths: list[str]
) -> None:
    tab.open(f"""<div id=zone onclick="document.title = 'clicked'">Drop here</div>{SHOWS}<script>
      document.addEventListener('dragover', (event) => event.preventDefault());
      document.addEventListener('drop', (event) => {{
        event.preventDefault(); if (event.target === zone) show(event.dataTransfer.files) }});
      </script>""")

    answer = tab.call("upload", element_id=tab.find("Drop here"), paths=["one.txt"])

    assert tab.js(CHOSEN) == "one.txt=one"
    assert answer["title"] == "clicked"
    assert "was clicked, which opened no file chooser, then dropped on" in answer["note"]


@pytest.fixture
def bag(paths: list[str], shots: Path) -> Path:
    """Write a folder with two files into the output directory."""
    (shots / "bag" / "in").mkdir(parents=True, exist_ok=True)
    (shots / "void").mkdir(exist_ok=True)
    for name in ("a.txt", "in/b.txt"):
        (shots / "bag" / name).write_text("text")
    return shots / "bag"


PICKING = """<button onclick="run()">Add</button><output id=o></output><script>
  const run = () => { globalThis.shown = (async () => { o.textContent = await pick() })() };
  const write = async (file, text) => {
    const writer = await file.createWritable(); await writer.write(text); await writer.close() };
  const pick = async () => {"""
OPENS = "const [a, b] = await showOpenFilePicker({ multiple: true });"
READS_FOLDER = """const folder = await showDirectoryPicker(); const all = [folder.name];
  for await (const [name] of await folder.getDirectoryHandle('in')) all.push(name); return all"""


@pytest.mark.parametrize(
    ("script", "given", "shown"),
    [
        (OPENS + "return b.name + (await b.getFile()).size", "one.txt two.txt", "two.txt3"),
        (
            OPENS + "await write(a, 'new'); return a instanceof FileSystemFileHandle",
            "one.txt",
            "true",
        ),
        (READS_FOLDER, "bag", "bag,b.txt"),
        ("return (await showDirectoryPicker()).kind", "void", "directory"),
    ],
)
def test_file_pickers_get_copies_of_the_files(
    tab: Tab, bag: Path, script: str, given: str, shown: str
) -> None:
    tab.open(f"{PICKING} {script} }}</script>")

    answer = tab.call("upload", element_id=tab.find("Add"), paths=given.split())

    assert tab.js(CHOSEN) == shown
    assert (bag.parent / "one.txt").read_text() == "one"
    written = [Path(saved["path"]).read_text() for saved in answer.get("downloads", [])]
    assert written == (["new"] if "write(a" in script else [])


def test_a_file_picker_that_is_cancelled_ends_with_an_error(tab: Tab, paths: list[str]) -> None:
    cancels = "HTMLInputElement.prototype.click = function () { this.oncancel?.() }"
    tab.open(f"{PICKING} {cancels}; return showOpenFilePicker().catch((e) => e.name) }}</script>")
    tab.refused("upload", element_id=tab.find("Add"), paths=paths)
    assert tab.js(CHOSEN) == "AbortError"


def test_a_file_that_the_page_saves_is_downloaded(tab: Tab) -> None:
    saves = "await write(await showSaveFilePicker({ suggestedName: 'a/plan.txt' }), 'text')"
    tab.open(f"{PICKING} {saves}; return 'saved' }}</script>")

    [saved] = tab.click("Add")["downloads"]

    assert saved["path"].endswith("plan.txt")
    assert Path(saved["path"]).read_text() == "text"


TAKES = "onchange='o.textContent = [...this.files].map((f) => f.webkitRelativePath).sort()'"


@pytest.mark.parametrize(
    "takes",
    [
        f"<input type=file webkitdirectory aria-label=Add {TAKES}>",
        f"""<button onclick="i.click()">Add</button>
          <input id=i type=file webkitdirectory style="display: none" {TAKES}>""",
        """<div ondragover="event.preventDefault()" role=button ondrop="event.preventDefault();
          o.textContent = event.dataTransfer.items[0].webkitGetAsEntry().isDirectory">Add</div>""",
    ],
)
def test_a_folder_is_given_to_fields_of_folders_and_drop_zones(
    tab: Tab, bag: Path, takes: str
) -> None:
    tab.open(f"{takes}<output id=o></output>")

    tab.call("upload", element_id=tab.find("Add"), paths=[bag.name])

    assert tab.js("o.textContent") in {"bag/a.txt,bag/in/b.txt", "true"}


def test_a_folder_and_files_are_not_taken_for_each_other(tab: Tab, bag: Path) -> None:
    tab.open("<input type=file aria-label=One><input type=file webkitdirectory aria-label=All>")

    for label, path, takes in (("One", "bag", "file"), ("All", "bag/a.txt", "folder")):
        with case(label):
            error = tab.refused("upload", element_id=tab.find(label), paths=[path])
            assert f"takes a {takes}, not" in error["message"]
