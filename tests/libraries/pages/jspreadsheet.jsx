import jspreadsheet from "jspreadsheet-ce";
import "jspreadsheet-ce/dist/jspreadsheet.css";
import "jsuites/dist/jsuites.css";
import { app, compute } from "./state.js";

const [sheet] = jspreadsheet(app, {
  worksheets: [{ data: [["Rent", 900, ""], ["Food", 300, ""], ["Fuel", 120, ""], ["Total", "", ""]], minDimensions: [4, 6],
    columns: [{ title: "Item", width: 120 }, { title: "Amount", width: 100 }, { title: "Note", width: 150 }, { title: "Paid", type: "checkbox", width: 80 }] }],
});
compute(() => ({ data: sheet.getData(), total: sheet.getValue("B4", true), rows: sheet.getData().length, selected: sheet.getSelected(true) }));
