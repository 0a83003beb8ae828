"""A long document with all kinds of elements, and its expected content."""

import attrs

PARAGRAPH = (
    "Paragraph {n} says <em>much</em> about <a href='#s{n}'>section {n}</a>, with <code>code_{n}"
    "</code>, a <b>bold</b> word and H<sub>2</sub>O."
)

LISTS = """<ul><li>first {n}<li>second {n}<ul><li>nested {n}<ul><li>deeper {n}</ul></ul>
<li><p>third {n}</p><pre>in_item({n})</pre></ul><ol start=4><li>four {n}<li>five {n}</ol>"""

DEFINITIONS = """<dl><dt>term {n}<dd><p>Definition {n}.</p><dd>Another {n}.
<dt id=t{n}>method_{n}()<dd>What method_{n} does:<dl><dt>inner {n}<dd>Inside {n}.</dl></dl>"""

TABLE = """<table><caption>Table {n}</caption><thead><tr><th>Name<th colspan=2>Values {n}</thead>
<tr><td rowspan=2>row {n}<td>one {n}<td>two {n}
<tr><td>three {n}<td>a | b {n}</table>"""

CODE = """<div class="highlight-python3"><div><pre><span class=gp>&gt;&gt;&gt; </span>
print(<span>{n}</span>)
    indented_{n}  two  blanks
# no heading {n}</pre></div></div>"""

QUOTE = "<blockquote><p>Quoted {n}.<p>Said twice {n}.</blockquote>"

ASIDES = """<div class=admonition><p class=title>Note</p><p>Beware of {n}.</div>
<figure><img alt="Drawing {n}" src="/{n}.png"><figcaption>Figure {n}</figcaption></figure>
<details open><summary>More {n}</summary>Hidden no longer {n}.</details>"""

SECTION = (
    f"<h2>Section {{n}}</h2>{PARAGRAPH}{LISTS}<h3>Terms {{n}}</h3>{DEFINITIONS}{TABLE}"
    f"{CODE}{QUOTE}{ASIDES}bare text {{n}}"
)


@attrs.frozen
class Truth:
    """The content as rendered by the browser: headings, code blocks and words.

    ``again`` holds the words of cells over several rows, once for each row after the first.
    """

    headings: list[str]
    code: list[str]
    words: list[str]
    again: list[str]


SHOWN = """{
  const main = document.querySelector('main, [role=main]');
  const texts = (css) => [...main.querySelectorAll(css)].map((one) => one.innerText.trim());
  const spanning = [...main.querySelectorAll('[rowspan]')];
  const again = spanning.map((cell) => `${cell.innerText} `.repeat(cell.rowSpan - 1)).join('');
  globalThis.shown = JSON.stringify(
    { headings: texts('h1,h2,h3,h4,h5,h6'), code: texts('pre'), text: main.innerText, again });
  shown.length;
}"""
"""Read in slices, because it exceeds the size of one answer."""


def long_document(sections: int = 30) -> str:
    """Build markup with about as many elements as a chapter of a manual."""
    body = "".join(
        f"<section id=s{n}>{SECTION.format(n=n)}</section>" for n in range(1, sections + 1)
    )
    return f"""<title>Manual</title><nav aria-label=Chapters><a href=/>Home</a></nav>
      <main><h1>The manual</h1>{body}</main><footer>Printed by hand</footer>"""
