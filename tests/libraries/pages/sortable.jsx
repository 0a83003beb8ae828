import Sortable from "sortablejs";
import { app, compute, page } from "./state.js";

const style = "display:inline-block;vertical-align:top;width:200px;min-height:200px;margin:10px;background:#eee";
const card = (name) => `<li style="padding:8px;margin:4px;background:#fff" data-name="${name}">
  ${page === "handle" ? `<span class="handle" style="cursor:grab" title="Move ${name}">⠿</span> ` : ""}${name}</li>`;
app.innerHTML = `
  <section style="${style}"><h2>To do</h2><ul id="todo" style="min-height:150px">${["Write report", "Call Ada", "Buy paper"].map(card).join("")}</ul></section>
  <section style="${style}"><h2>Done</h2><ul id="done" style="min-height:150px">${card("Pay rent")}</ul></section>`;
for (const id of ["todo", "done"]) {
  Sortable.create(document.getElementById(id), {
    group: "board", animation: 100, forceFallback: page === "fallback", handle: page === "handle" ? ".handle" : undefined,
  });
}
const names = (id) => [...document.querySelectorAll(`#${id} li`)].map((item) => item.dataset.name);
compute(() => ({ todo: names("todo"), done: names("done") }));
