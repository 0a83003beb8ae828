import { BlockQuote, Bold, ClassicEditor, Essentials, Heading, Italic, Link, List, Paragraph, Table, TableToolbar } from "ckeditor5";
import "ckeditor5/ckeditor5.css";
import { app, compute } from "./state.js";

app.innerHTML = `<div id="text"><p>The quick brown fox</p></div>`;
ClassicEditor.create(app.querySelector("#text"), { licenseKey: "GPL", plugins: [Essentials, Paragraph, Bold, Italic, Heading, Link, List, BlockQuote, Table, TableToolbar],
  toolbar: ["undo", "redo", "heading", "bold", "italic", "link", "bulletedList", "blockQuote", "insertTable"] })
  .then((editor) => compute(() => ({ html: editor.getData() })));
