import "@shoelace-style/shoelace/dist/shoelace.js";
import "@shoelace-style/shoelace/dist/themes/light.css";

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
};
document.getElementById("app").innerHTML = PAGES[new URLSearchParams(location.search).get("page")];
