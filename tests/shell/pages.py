"""The page on which shells work: a list that grows by what a shell has typed."""

from urllib.parse import quote

PAGE = """<title>List of {name}</title><h1>List of {name}</h1>
<label>Item <input></label> <button>Add</button><ul></ul>
<script>
document.querySelector("button").onclick = () => {{
  const item = document.createElement("li");
  item.textContent = document.querySelector("input").value;
  document.querySelector("ul").append(item);
}};
</script>"""


def list_page(name: str) -> str:
    return "data:text/html," + quote(PAGE.format(name=name))
