import { EditorView, basicSetup } from "codemirror";
import { javascript } from "@codemirror/lang-javascript";
import { EditorState } from "@codemirror/state";
import { compute } from "./state.js";

const page = new URLSearchParams(location.search).get("page");
const DOCS = { empty: "", short: "let a = 1;\nlet b = 2;", long: Array.from({ length: 400 }, (_, i) => `line(${i});`).join("\n"), fixed: "const fixed = true;", two: "first" };
const parent = document.getElementById("app");
const extensions = [basicSetup, javascript()];
if (page === "fixed") extensions.push(EditorState.readOnly.of(true));
const view = new EditorView({ doc: DOCS[page], extensions, parent });
if (page === "two") new EditorView({ doc: "second", extensions, parent });
compute(() => ({ text: view.state.doc.toString(), line: view.state.doc.lineAt(view.state.selection.main.head).number }));
