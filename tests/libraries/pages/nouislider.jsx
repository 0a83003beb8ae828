import noUiSlider from "nouislider";
import "nouislider/dist/nouislider.css";
import { app, page, state } from "./state.js";

const OPTIONS = {
  single: { start: 20, connect: "lower", range: { min: 0, max: 100 }, step: 1,
    handleAttributes: [{ "aria-label": "Volume" }] },
  range: { start: [100, 400], connect: true, range: { min: 0, max: 500 }, step: 1,
    handleAttributes: [{ "aria-label": "Lowest price" }, { "aria-label": "Highest price" }] },
};
app.innerHTML = `<p id="shown"></p><div id="slider" style="margin:60px 40px;width:500px"></div>`;
const slider = document.getElementById("slider");
noUiSlider.create(slider, OPTIONS[page]);
slider.noUiSlider.on("change", (values) => (state.values = values.map(Number)));
slider.noUiSlider.on("update", (values) => (document.getElementById("shown").textContent = values.join(" to ")));
