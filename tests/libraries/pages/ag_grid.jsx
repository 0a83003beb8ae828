import { AllCommunityModule, ModuleRegistry, createGrid } from "ag-grid-community";
import { compute } from "./state.js";

ModuleRegistry.registerModules([AllCommunityModule]);
const page = new URLSearchParams(location.search).get("page");
const rowData = Array.from({ length: page === "many" ? 500 : 8 }, (_, index) => ({
  name: `Person ${index}`, city: ["Oslo", "Lima", "Rome"][index % 3], salary: 1000 + 137 * index,
}));
const options = {
  rowData,
  columnDefs: [{ field: "name" }, { field: "city" }, { field: "salary" }],
  defaultColDef: { editable: page === "edit", filter: page === "filter" },
};
if (page === "select") options.rowSelection = { mode: "multiRow" };
if (page === "sort") options.columnDefs[2].sort = "desc";
const box = document.getElementById("app");
box.style.height = "400px";
if (page === "work") options.defaultColDef = { editable: true, filter: "agNumberColumnFilter", floatingFilter: true };
if (page === "work") options.rowSelection = { mode: "multiRow" };
const grid = createGrid(box, options);
compute(() => ({
  row: (index) => rowData[index], chosen: grid.getSelectedRows().map((row) => row.name), shown: grid.getDisplayedRowCount(),
  first: grid.getDisplayedRowAtIndex(0)?.data.name, columns: grid.getColumnState().map((column) => column.colId),
}));
