"""Code editors and rich-text editors."""

from typing import Final

from tests.libraries.steps import Click, Element, Fill, Keys, Mark, Task, Write, button, field, text

_CODE = "function area(box) {\n  if (box) {\n    return box.width * box.height;\n  }\n}"
_SAME = f"state.text == {_CODE!r}"
_NOTE = field("Note")
_ACE = field("Cursor at row 1", shows="report(total);")
_CODEMIRROR = field("", shows="let b = 2;")
_QUILL = field("", shows="The quick brown fox")
_CKEDITOR = field("Rich Text Editor. Editing area: main. Press Alt+0 for help.")
_BLOCK = field("", shows="First thought")

TASKS: Final = (
    Task("replace the text with five lines", "monaco", [Fill({field("Script"): _CODE})], _SAME),
    Task("insert a line at the end", "monaco",
         [Keys(["Control+End"], on=field("Script")), Keys(["Enter"]), Write("add(3, 4);")],
         "state.text.endsWith('add(1, 2);\\nadd(3, 4);')"),
    Task("replace a word", "monaco",
         [Mark(field("Script"), "add(1, 2)"), Write("add(5, 6)")],
         "state.text.endsWith('}\\nadd(5, 6);')",
         refused="does not return its text"),
    Task("undo", "monaco",
         [Keys(["Control+End"], on=field("Script")), Write("x"), Keys(["Control+z"])],
         "state.text.endsWith('add(1, 2);')"),
    Task("replace the text with five lines", "codemirror?page=short",
         [Fill({_CODEMIRROR: _CODE})], _SAME),
    Task("insert a line at the end", "codemirror?page=short",
         [Keys(["Control+End"], on=_CODEMIRROR), Keys(["Enter"]), Write("let c = 3;")],
         "state.text == 'let a = 1;\\nlet b = 2;\\nlet c = 3;'"),
    Task("replace a word", "codemirror?page=short",
         [Mark(_CODEMIRROR, "b"), Write("total")], "state.text == 'let a = 1;\\nlet total = 2;'"),
    Task("replace the text with five lines", "ace",
         [Fill({_ACE: _CODE})], _SAME),
    Task("insert a line at the end", "ace",
         [Keys(["Control+End"], on=_ACE), Keys(["Enter"]), Write("done();")],
         "state.text.endsWith('report(total);\\ndone();')"),
    Task("make a word bold", "quill?page=text",
         [Mark(_QUILL, "brown"), Click(button("bold"))],
         "state.html == '<p>The quick <strong>brown</strong> fox</p>'"),
    Task("make the line a heading", "quill?page=text",
         [Click(_QUILL), Click(button("Normal")), Click(button("Heading 1"))],
         "state.html == '<h1>The quick brown fox</h1>'"),
    Task("make the line a list item", "quill?page=text",
         [Click(_QUILL), Click(button("list: bullet"))],
         "state.html == '<ul><li>The quick brown fox</li></ul>'"),
    Task("write two paragraphs", "quill?page=empty",
         [Fill({field(""): "First line\nSecond line"})],
         "state.text == 'First line\\nSecond line\\n'"),
    Task("make a word bold", "tiptap",
         [Mark(field("Story"), "brave"), Click(button("Bold"))],
         "state.html.startsWith('<p>The <strong>brave</strong> fox</p>')"),
    Task("make a paragraph a heading", "tiptap",
         [Mark(field("Story"), "brave"), Click(button("Heading"))],
         "state.html.startsWith('<h2>The brave fox</h2><p>runs home</p>')"),
    Task("write a paragraph at the end", "tiptap",
         [Keys(["Control+End"], on=field("Story")), Keys(["Enter"]), Write("and sleeps")],
         "state.html.includes('<p>runs home</p><p>and sleeps</p>')"),
    Task("make two words bold by keys", "lexical",
         [Mark(_NOTE, "red paint"), Keys(["Control+b"])], "state.bold.join() == 'red paint'"),
    Task("replace a word", "lexical",
         [Mark(_NOTE, "red"), Write("blue")], "state.text.endsWith('Buy the blue paint today')"),
    Task("replace the whole text", "lexical",
         [Fill({_NOTE: "Nothing to do"})], "state.text.trim() == 'Nothing to do'"),
    Task("make a word bold", "slate",
         [Mark(field("Message"), "noon"), Click(button("Bold"))], "state.bold.join() == 'noon'"),
    Task("write a line at the end", "slate",
         [Keys(["Control+End"], on=field("Message")), Keys(["Enter"]), Write("and water")],
         "state.lines.join('|') == 'Meet at noon|Bring the map|and water'"),
    Task("bold, a heading and a table", "ckeditor",
         [Mark(_CKEDITOR, "brown"), Click(button("Bold")), Click(button("Paragraph, Heading")),
          Click(Element("menuitemradio", "Heading 1")), Keys(["Control+End"], on=_CKEDITOR),
          Click(button("Insert table")), Click(button("2 \u00d7 2"))],
         "/^<h2>The quick <strong>brown<.strong> fox<.h2><figure.*<table>/.test(state.html)"),
    Task("add a list by its command", "editorjs",
         [Keys(["Control+End"], on=_BLOCK), Keys(["Enter"]), Write("/"),
          Click(text("Unordered List")), Write("one")],
         "state.blocks.join() == 'paragraph: First thought,list: one'"),
)  # fmt: skip
