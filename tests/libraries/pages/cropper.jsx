import Cropper from "cropperjs";
import { app, compute } from "./state.js";

document.body.style.margin = "0";
app.style.cssText = "width:600px;height:400px";
const picture = document.createElement("canvas");
[picture.width, picture.height] = [600, 400];
const pen = picture.getContext("2d");
[pen.fillStyle = "steelblue", pen.fillRect(0, 0, 600, 400), pen.fillStyle = "gold", pen.fillRect(200, 100, 150, 150)];
const image = new Image();
[image.src, image.alt] = [picture.toDataURL(), "Photo"];
app.append(image);
const cropper = new Cropper(image, { template: `<cropper-canvas background style="height:400px"><cropper-image></cropper-image>
  <cropper-shade hidden></cropper-shade><cropper-handle action="select" plain></cropper-handle>
  <cropper-selection x="100" y="100" width="200" height="150" movable resizable aria-label="Selection" role="group">
  <cropper-handle action="move" theme-color="rgba(255,255,255,0.35)"></cropper-handle>
  <cropper-handle action="e-resize"></cropper-handle><cropper-handle action="se-resize"></cropper-handle>
  </cropper-selection></cropper-canvas>` });
compute(() => {
  const { x, y, width, height } = cropper.getCropperSelection();
  return { x, y, width, height };
});
