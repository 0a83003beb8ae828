import { EditorView, basicSetup } from "codemirror";
import { javascript } from "@codemirror/lang-javascript";
import { EditorState } from "@codemirror/state";

const page = new URLSearchParams(location.search).get("page");
const DOCS = { empty: "", short: "let a = 1;\nlet b = 2;", long: Array.from({ length: 400 }, (_, i) => `line(${i});`).join("\n"), fixed: "const fixed = true;", two: "first" };
const parent = document.getElementById("app");
const extensions = [basicSetup, javascript()];
if (page === "fixed") extensions.push(EditorState.readOnly.of(true));
new EditorView({ doc: DOCS[page], extensions, parent });
if (page === "two") new EditorView({ doc: "second", extensions, parent });
