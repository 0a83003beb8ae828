import Split from "split.js";
import { app, page, state } from "./state.js";

const vertical = page === "vertical";
app.innerHTML = `<style>.gutter{background:#ccc;cursor:${vertical ? "row" : "col"}-resize}</style>
  <div style="display:flex;flex-direction:${vertical ? "column" : "row"};width:800px;height:300px">
  <div id="first" aria-label="Files" role="region">Files</div><div id="second" aria-label="Text" role="region">Text</div></div>`;
Split(["#first", "#second"], {
  sizes: [50, 50], gutterSize: 10, minSize: 50, direction: vertical ? "vertical" : "horizontal",
  onDragEnd: (sizes) => (state.sizes = sizes),
});
