import SlimSelect from "slim-select";
import "slim-select/styles";
import { app, compute, page } from "./state.js";

app.innerHTML = `<label for="s">Planet</label><select id="s" ${page === "multi" ? "multiple" : ""}>${["Mercury", "Venus", "Mars", "Saturn"].map((name) => `<option>${name}</option>`).join("")}</select>`;
const select = new SlimSelect({ select: "#s" });
compute(() => ({ chosen: select.getSelected() }));
