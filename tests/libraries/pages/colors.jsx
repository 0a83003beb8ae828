import { useState } from "react";
import { createRoot } from "react-dom/client";
import Pickr from "@simonwep/pickr";
import "@simonwep/pickr/dist/themes/classic.min.css";
import { HexColorInput, HexColorPicker } from "react-colorful";
import { app, page, state } from "./state.js";

function Page() {
  const [color, setColor] = useState("#aa3355");
  state.color = color;
  return <><HexColorPicker color={color} onChange={setColor} /><label>Colour <HexColorInput color={color} onChange={setColor} /></label></>;
}

if (page === "pickr") {
  app.innerHTML = `<div id="button"></div>`;
  const pickr = Pickr.create({ el: "#button", theme: "classic", default: "#42445a", swatches: ["#ff0000", "#00ff00"],
    components: { preview: true, opacity: true, hue: true, interaction: { input: true, save: true } } });
  pickr.on("save", (color) => (state.color = color.toHEXA().toString().toLowerCase()));
} else {
  createRoot(app).render(<Page />);
}
