import { init, use } from "echarts/core";
import { BarChart } from "echarts/charts";
import { DataZoomComponent, GridComponent, LegendComponent, TooltipComponent } from "echarts/components";
import { CanvasRenderer } from "echarts/renderers";
import { app, state } from "./state.js";

use([BarChart, DataZoomComponent, GridComponent, LegendComponent, TooltipComponent, CanvasRenderer]);
document.body.style.margin = "0";
app.style.cssText = "width:800px;height:400px";
const chart = init(app);
chart.setOption({
  animation: false, legend: { data: ["Sales", "Costs"], top: 10, left: 100 }, grid: { left: 100, right: 100, top: 60, bottom: 60 },
  xAxis: { data: ["Mon", "Tue", "Wed"] }, yAxis: { max: 10 }, tooltip: {}, dataZoom: [{ type: "slider", bottom: 5 }],
  series: [{ name: "Sales", type: "bar", data: [8, 6, 9] }, { name: "Costs", type: "bar", data: [5, 4, 7] }],
});
chart.on("click", ({ seriesName, name }) => (state.pressed = `${seriesName} ${name}`));
chart.on("legendselectchanged", ({ selected }) => (state.legend = selected));
chart.on("datazoom", () => (state.zoom = chart.getOption().dataZoom[0].start));
