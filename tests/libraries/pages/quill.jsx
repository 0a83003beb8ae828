import Quill from "quill";
import "quill/dist/quill.snow.css";
import { compute } from "./state.js";

const page = new URLSearchParams(location.search).get("page");
const TEXTS = {
  empty: "", text: "<p>The quick brown fox</p>", list: "<ol><li>one thing</li><li>another thing</li></ol>",
  link: '<p>See <a href="https://example.org">the manual</a> first</p>', two: "<h2>Title here</h2><p>Body here</p>",
};
document.getElementById("app").innerHTML = `<label>Subject <input></label><div id="editor">${TEXTS[page]}</div>`;
const quill = new Quill("#editor", { theme: "snow", placeholder: "Write something" });
compute(() => ({ text: quill.getText(), html: quill.getSemanticHTML().replaceAll("&nbsp;", " ") }));
