import SignaturePad from "signature_pad";
import { app, compute } from "./state.js";

document.body.style.margin = "0";
app.innerHTML = `<canvas width="600" height="200" style="border-bottom:1px solid" aria-label="Signature"></canvas>
  <p><button id="clear">Clear</button> <button id="undo">Undo</button></p>`;
const pad = new SignaturePad(app.querySelector("canvas"));
document.getElementById("clear").onclick = () => pad.clear();
document.getElementById("undo").onclick = () => pad.fromData(pad.toData().slice(0, -1));
compute(() => ({ strokes: pad.toData().map((stroke) => stroke.points.length) }));
