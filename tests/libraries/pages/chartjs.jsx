import Chart from "chart.js/auto";
import { app, compute } from "./state.js";

document.body.style.margin = "0";
app.innerHTML = `<div style="width:600px;height:300px"><canvas aria-label="Visitors" role="img"></canvas></div>`;
let pressed = "";
const chart = new Chart(app.querySelector("canvas"), {
  type: "bar",
  data: { labels: ["Mon", "Tue", "Wed"], datasets: [{ label: "Visitors", data: [10, 20, 15] }] },
  options: { animation: false, maintainAspectRatio: false, onClick: (_, hit) => hit.length && (pressed = ["Mon", "Tue", "Wed"][hit[0].index]) },
});
compute(() => ({ pressed, visible: chart.isDatasetVisible(0), hovered: chart.tooltip?.dataPoints?.[0]?.label ?? "" }));
