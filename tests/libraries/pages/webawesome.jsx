import "@awesome.me/webawesome/dist/styles/webawesome.css";
import "@awesome.me/webawesome/dist/components/button/button.js";
import "@awesome.me/webawesome/dist/components/color-picker/color-picker.js";
import "@awesome.me/webawesome/dist/components/dialog/dialog.js";
import "@awesome.me/webawesome/dist/components/input/input.js";
import "@awesome.me/webawesome/dist/components/radio-group/radio-group.js";
import "@awesome.me/webawesome/dist/components/radio/radio.js";
import "@awesome.me/webawesome/dist/components/rating/rating.js";
import "@awesome.me/webawesome/dist/components/select/select.js";
import "@awesome.me/webawesome/dist/components/option/option.js";
import "@awesome.me/webawesome/dist/components/slider/slider.js";
import "@awesome.me/webawesome/dist/components/split-panel/split-panel.js";
import "@awesome.me/webawesome/dist/components/switch/switch.js";
import "@awesome.me/webawesome/dist/components/tree/tree.js";
import "@awesome.me/webawesome/dist/components/tree-item/tree-item.js";
import { app, compute, page } from "./state.js";

const PAGES = {
  form: `<wa-input label="Name"></wa-input><wa-slider label="Speed" min="0" max="100" value="20" style="width:300px"></wa-slider>
    <wa-switch>Updates</wa-switch><wa-rating label="Score"></wa-rating>
    <wa-radio-group label="Size" value="s"><wa-radio value="s">Small</wa-radio><wa-radio value="l">Large</wa-radio></wa-radio-group>`,
  select: `<wa-select label="Fruits" multiple style="width:300px"><wa-option value="apple">Apple</wa-option><wa-option value="pear">Pear</wa-option>
    <wa-option value="plum">Plum</wa-option></wa-select>`,
  split: `<wa-split-panel position="50" style="width:800px;height:200px"><div slot="start">Left</div><div slot="end">Right</div></wa-split-panel>`,
  tree: `<wa-tree selection="leaf"><wa-tree-item>Plants<wa-tree-item>Ferns</wa-tree-item><wa-tree-item>Mosses</wa-tree-item></wa-tree-item>
    <wa-tree-item>Animals<wa-tree-item>Birds</wa-tree-item></wa-tree-item></wa-tree>`,
};
app.innerHTML = PAGES[page];
const value = (name) => app.querySelector(`wa-${name}`)?.value;
compute(() => ({ name: value("input"), speed: value("slider"), score: value("rating"), size: value("radio-group"), fruits: value("select"),
  on: app.querySelector("wa-switch")?.checked, position: app.querySelector("wa-split-panel")?.position,
  chosen: [...app.querySelectorAll("wa-tree-item")].filter((item) => item.selected).map((item) => item.textContent) }));
