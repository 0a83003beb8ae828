import Handsontable from "handsontable";
import "handsontable/styles/handsontable.css";
import "handsontable/styles/ht-theme-main.css";
import { app, compute } from "./state.js";

app.innerHTML = `<div id="grid" class="ht-theme-main"></div>`;
const rows = [["Ada", "London", 1815, false], ["Grace", "New York", 1906, false], ["Alan", "London", 1912, true], ["Edsger", "Rotterdam", 1930, false]];
const grid = new Handsontable(app.querySelector("#grid"), {
  data: rows, colHeaders: ["Name", "City", "Born", "Active"], rowHeaders: true, contextMenu: true, columnSorting: true, dropdownMenu: true, filters: true,
  manualColumnMove: true, licenseKey: "non-commercial-and-evaluation", height: 300, width: 700,
  columns: [{}, { type: "dropdown", source: ["London", "New York", "Rotterdam", "Oslo"] }, { type: "numeric" }, { type: "checkbox" }],
});
compute(() => ({ data: grid.getData(), rows: grid.countRows(), selected: grid.getSelected() }));
