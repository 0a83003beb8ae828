import { registerHistory, createEmptyHistoryState } from "@lexical/history";
import { HeadingNode, QuoteNode, $createHeadingNode, registerRichText } from "@lexical/rich-text";
import { $createParagraphNode, $createTextNode, $getRoot, FORMAT_TEXT_COMMAND, UNDO_COMMAND, createEditor } from "lexical";
import { app, compute } from "./state.js";

app.innerHTML = `<div role="toolbar"><button id="bold">Bold</button><button id="undo">Undo</button></div>
  <div id="editor" contenteditable role="textbox" aria-multiline="true" aria-label="Note" style="width:600px;min-height:100px;border:1px solid"></div>`;
const editor = createEditor({ namespace: "page", nodes: [HeadingNode, QuoteNode], onError: (error) => { throw error; } });
editor.setRootElement(document.getElementById("editor"));
registerRichText(editor);
registerHistory(editor, createEmptyHistoryState(), 300);
editor.update(() => $getRoot().clear().append(
  $createHeadingNode("h1").append($createTextNode("Plan")), $createParagraphNode().append($createTextNode("Buy the red paint today"))), { discrete: true });
for (const [id, command, value] of [["bold", FORMAT_TEXT_COMMAND, "bold"], ["undo", UNDO_COMMAND]]) {
  const button = document.getElementById(id);
  button.onmousedown = (event) => event.preventDefault();
  button.onclick = () => editor.dispatchCommand(command, value);
}
const bold = (node) => (node.children ?? []).flatMap(bold).concat(node.format & 1 && node.text ? [node.text] : []);
compute(() => ({
  text: editor.getEditorState().read(() => $getRoot().getTextContent()), bold: bold(editor.getEditorState().toJSON().root),
}));
