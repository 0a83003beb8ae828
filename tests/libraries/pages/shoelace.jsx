import "@shoelace-style/shoelace/dist/shoelace.js";
import "@shoelace-style/shoelace/dist/themes/light.css";
import { app, compute, page } from "./state.js";

const PAGES = {
  form: `<sl-input label="Email" help-text="Work address"></sl-input>
    <sl-textarea label="Comment"></sl-textarea><sl-checkbox>Agree</sl-checkbox><sl-switch>Alerts</sl-switch>`,
  select: `<sl-select label="Fruit"><sl-option value="apple">Apple</sl-option>
    <sl-option value="pear">Pear</sl-option><sl-option value="plum">Plum</sl-option></sl-select>`,
  dialog: `<input aria-label="Behind"><sl-button onclick="d.show()">Open</sl-button>
    <sl-dialog id="d" label="Settings"><sl-input label="Nickname" autofocus></sl-input>
    <sl-button onclick="d.hide()">Close it</sl-button></sl-dialog>`,
  details: `<sl-details summary="More about us">Founded in a garage</sl-details>
    <sl-tab-group><sl-tab slot="nav" panel="a">First</sl-tab><sl-tab slot="nav" panel="b">Second</sl-tab>
    <sl-tab-panel name="a">Panel of the first</sl-tab-panel><sl-tab-panel name="b">Panel of the second</sl-tab-panel>
    </sl-tab-group>`,
  menu: `<sl-dropdown><sl-button slot="trigger" caret>Edit</sl-button><sl-menu>
    <sl-menu-item value="cut">Cut text</sl-menu-item><sl-menu-item value="paste">Paste text</sl-menu-item>
    </sl-menu></sl-dropdown><sl-range label="Zoom" value="40"></sl-range>`,
  several: `<sl-select label="City" multiple clearable style="width:300px"><sl-option value="oslo">Oslo</sl-option><sl-option value="rome">Rome</sl-option>
    <sl-option value="lima">Lima</sl-option></sl-select>`,
  values: `<sl-range label="Zoom" value="40" style="width:300px"></sl-range><sl-rating label="Score"></sl-rating>
    <sl-radio-group label="Size" value="s"><sl-radio value="s">Small</sl-radio><sl-radio value="l">Large</sl-radio></sl-radio-group>
    <sl-color-picker label="Colour" inline value="#4a90e2"></sl-color-picker>`,
  split: `<sl-split-panel position="50" style="width:800px;height:200px"><div slot="start">Left</div><div slot="end">Right</div></sl-split-panel>`,
  tree: `<sl-tree selection="multiple"><sl-tree-item>Trees<sl-tree-item>Birch</sl-tree-item><sl-tree-item>Maple</sl-tree-item></sl-tree-item></sl-tree>`,
  submenu: `<sl-dropdown><sl-button slot="trigger" caret>Edit</sl-button><sl-menu><sl-menu-item value="undo">Undo</sl-menu-item>
    <sl-menu-item>Find<sl-menu slot="submenu"><sl-menu-item value="find">Find…</sl-menu-item><sl-menu-item value="next">Find next</sl-menu-item></sl-menu>
    </sl-menu-item></sl-menu></sl-dropdown>`,
};
app.innerHTML = PAGES[page];
const of = (name, property = "value") => app.querySelector(`sl-${name}`)?.[property];
let pressed = "";
app.addEventListener("sl-select", (event) => (pressed = event.detail.item.value));
compute(() => ({ email: of("input"), comment: of("textarea"), agree: of("checkbox", "checked"), alerts: of("switch", "checked"), chosen: of("select"),
  zoom: of("range"), score: of("rating"), size: of("radio-group"), color: of("color-picker"), position: of("split-panel", "position"), pressed,
  ticked: [...app.querySelectorAll("sl-tree-item")].filter((item) => item.selected).map((item) => item.textContent.trim()) }));
