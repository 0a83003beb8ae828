import { Canvas, PencilBrush, Rect } from "fabric";
import { app, compute, page } from "./state.js";

document.body.style.margin = "0";
app.innerHTML = `<canvas id="c" width="800" height="500"></canvas>`;
const canvas = new Canvas("c", { isDrawingMode: page === "draw" });
if (page === "draw") canvas.freeDrawingBrush = new PencilBrush(canvas);
const boxes = [[100, 100], [300, 100], [500, 300]].map(([left, top]) =>
  new Rect({ left, top, width: 80, height: 60, fill: "orange", originX: "left", originY: "top" }));
if (page !== "draw") canvas.add(...boxes);
compute(() => ({
  boxes: boxes.map((box) => ({ left: box.left, top: box.top, width: box.getScaledWidth() })),
  chosen: canvas.getActiveObjects().length,
  paths: page === "draw" ? canvas.getObjects().map((path) => path.width) : [],
}));
