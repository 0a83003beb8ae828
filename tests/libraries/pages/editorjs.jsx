import EditorJS from "@editorjs/editorjs";
import List from "@editorjs/list";
import { app, state } from "./state.js";

app.innerHTML = `<div id="text" style="margin-left:80px"></div>`;
const editor = new EditorJS({ holder: "text", tools: { list: List }, placeholder: "Write here", data: { blocks: [{ type: "paragraph", data: { text: "First thought" } }] },
  onChange: save });
async function save() {
  const { blocks } = await editor.save();
  state.blocks = blocks.map(({ type, data }) => `${type}: ${data.text ?? data.items.map((item) => item.content ?? item).join("|")}`);
}
