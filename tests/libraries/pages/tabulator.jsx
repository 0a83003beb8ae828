import { TabulatorFull as Tabulator } from "tabulator-tables";
import "tabulator-tables/dist/css/tabulator.min.css";
import { app, compute } from "./state.js";

const data = Array.from({ length: 200 }, (_, index) => ({
  id: index, name: `Person ${index}`, age: 20 + (index * 7) % 50, city: ["Oslo", "Lima", "Rome"][index % 3], done: false,
}));
app.innerHTML = `<div id="table"></div>`;
const table = new Tabulator("#table", {
  data, height: 400, width: 700, selectableRows: true, movableColumns: true,
  columns: [
    { formatter: "rowSelection", titleFormatter: "rowSelection", headerSort: false, width: 40 },
    { title: "Name", field: "name", editor: "input", headerFilter: "input", width: 200 },
    { title: "Age", field: "age", editor: "number", sorter: "number", width: 120 },
    { title: "City", field: "city", editor: "list", editorParams: { values: ["Oslo", "Lima", "Rome", "Paris"] }, width: 150 },
    { title: "Done", field: "done", formatter: "tickCross", editor: true, width: 90 },
  ],
});
compute(() => ({
  rows: table.getData("active").slice(0, 3), count: table.getDataCount("active"), chosen: table.getSelectedData().map((row) => row.name),
  person: (index) => table.getData()[index], columns: table.getColumns().map((column) => column.getField()),
}));
