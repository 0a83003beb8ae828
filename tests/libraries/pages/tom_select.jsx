import TomSelect from "tom-select";
import "tom-select/dist/css/tom-select.css";
import { compute } from "./state.js";

const page = new URLSearchParams(location.search).get("page");
const multiple = page === "multi" || page === "remove" ? "multiple" : "";
document.getElementById("app").innerHTML = `<label for="s">Planet</label><select id="s" ${multiple}>
  <option value="">None</option><option value="me" ${page === "chosen" ? "selected" : ""}>Mercury</option>
  <option value="ve">Venus</option><option value="ma" ${multiple && "selected"}>Mars</option></select>
  <label>Moon <input></label>`;
const select = new TomSelect("#s", {
  create: page === "create",
  plugins: page === "remove" ? ["remove_button"] : [],
});
compute(() => ({ chosen: [select.getValue()].flat() }));
