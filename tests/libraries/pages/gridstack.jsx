import { GridStack } from "gridstack";
import "gridstack/dist/gridstack.css";
import { app, compute } from "./state.js";

app.innerHTML = `<style>.grid-stack-item-content{background:#def;padding:8px}</style><div class="grid-stack" style="width:960px"></div>`;
GridStack.renderCB = (element, widget) => (element.textContent = widget.content);
const grid = GridStack.init({ column: 12, cellHeight: 80, margin: 4, float: true, alwaysShowResizeHandle: true });
grid.load([
  { id: "sales", x: 0, y: 0, w: 3, h: 2, content: "Sales" },
  { id: "visits", x: 3, y: 0, w: 3, h: 2, content: "Visits" },
]);
compute(() => Object.fromEntries(grid.save(false).map(({ id, x = 0, y = 0, w = 1, h = 1 }) => [id, { x, y, w, h }])));
