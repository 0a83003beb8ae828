import Dropzone from "dropzone";
import "dropzone/dist/dropzone.css";
import { app, compute } from "./state.js";

app.innerHTML = `<form class="dropzone" action="/nowhere" style="width:400px"></form>`;
const zone = new Dropzone("form", { autoProcessQueue: false, addRemoveLinks: true, dictDefaultMessage: "Drop files here" });
compute(() => ({ files: zone.files.map((file) => file.name) }));
