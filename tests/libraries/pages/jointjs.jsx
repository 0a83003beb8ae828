import { dia, shapes } from "@joint/core";
import { app, compute } from "./state.js";

document.body.style.margin = "0";
const graph = new dia.Graph({}, { cellNamespace: shapes });
const paper = new dia.Paper({ model: graph, width: 800, height: 400, cellViewNamespace: shapes });
app.append(paper.el);
paper.render?.();
const box = (x, label) => new shapes.standard.Rectangle({
  position: { x, y: 80 }, size: { width: 100, height: 60 }, attrs: { label: { text: label }, body: { magnet: false } },
});
const [start, end] = [box(60, "Start"), box(360, "End")];
graph.addCells([start, end, new shapes.standard.Link({ source: { id: start.id }, target: { id: end.id } })]);
let pressed = "";
paper.on("element:pointerdblclick", (view) => (pressed = view.model.attr("label/text")));
compute(() => ({ start: start.position(), end: end.position(), pressed }));
