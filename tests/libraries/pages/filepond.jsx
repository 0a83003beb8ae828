import { create } from "filepond";
import "filepond/dist/filepond.css";
import { app, compute } from "./state.js";

app.innerHTML = `<div style="width:400px"><input type="file" multiple></div>`;
const pond = create(app.querySelector("input"), { credits: false });
compute(() => ({ files: pond.getFiles().map((file) => file.filename) }));
