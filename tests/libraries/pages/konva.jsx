import Konva from "konva";
import { app, compute, page } from "./state.js";

document.body.style.margin = "0";
const stage = new Konva.Stage({ container: app, width: 800, height: 500 });
const layer = new Konva.Layer();
stage.add(layer);
const drawn = [];
const circle = new Konva.Circle({ x: 150, y: 150, radius: 50, fill: "teal", draggable: page === "move" });
let clicked = 0;
circle.on("dblclick", () => (clicked += 1));
if (page === "move") layer.add(circle);
if (page === "rectangle") {
  let start;
  stage.on("mousedown", () => (start = stage.getPointerPosition()));
  stage.on("mouseup", () => {
    const end = stage.getPointerPosition();
    const rectangle = { x: start.x, y: start.y, width: end.x - start.x, height: end.y - start.y };
    drawn.push(rectangle);
    layer.add(new Konva.Rect({ ...rectangle, stroke: "black" }));
  });
}
compute(() => ({ x: circle.x(), y: circle.y(), drawn, clicked }));
