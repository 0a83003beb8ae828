import * as monaco from "monaco-editor/editor/editor.api.js";
import "monaco-editor/features/register.all.js";
import "monaco-editor/languages/definitions/javascript/register.js";
import { app, compute } from "./state.js";

self.MonacoEnvironment = { getWorker: () => new Worker("/monaco_worker.js") };
app.style.cssText = "width:800px;height:300px";
const editor = monaco.editor.create(app, {
  value: "function add(a, b) {\n  return a + b;\n}\nadd(1, 2);", language: "javascript", ariaLabel: "Script", minimap: { enabled: false },
});
compute(() => ({ text: editor.getValue(), line: editor.getPosition().lineNumber, selected: editor.getModel().getValueInRange(editor.getSelection()) }));
