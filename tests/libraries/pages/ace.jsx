import ace from "ace-builds/src-noconflict/ace.js";
import "ace-builds/src-noconflict/mode-javascript.js";
import "ace-builds/src-noconflict/theme-textmate.js";
import { app, compute } from "./state.js";

app.innerHTML = `<div id="editor" style="width:700px;height:250px">let total = 0;\nlet count = 0;\nreport(total);</div>`;
const editor = ace.edit("editor", { mode: "ace/mode/javascript", theme: "ace/theme/textmate", useWorker: false });
compute(() => ({ text: editor.getValue(), line: editor.getCursorPosition().row }));
