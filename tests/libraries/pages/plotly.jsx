import Plotly from "plotly.js-basic-dist-min";
import { app, state } from "./state.js";

document.body.style.margin = "0";
app.style.cssText = "width:700px;height:400px";
Plotly.newPlot(app, [{ type: "bar", x: ["Mon", "Tue", "Wed"], y: [3, 7, 5], name: "Rain" },
  { type: "bar", x: ["Mon", "Tue", "Wed"], y: [2, 4, 1], name: "Snow" }], { dragmode: "select", hovermode: "closest" }, { displayModeBar: true });
app.on("plotly_click", ({ points }) => (state.pressed = `${points[0].data.name} ${points[0].x}`));
app.on("plotly_selected", (event) => (state.chosen = event?.points.length));
app.on("plotly_restyle", () => (state.shown = app.data.map((trace) => trace.visible ?? true)));
