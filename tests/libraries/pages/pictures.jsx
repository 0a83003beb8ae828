import { useState } from "react";
import { createRoot } from "react-dom/client";
import PhotoSwipeLightbox from "photoswipe/lightbox";
import PhotoSwipe from "photoswipe";
import "photoswipe/style.css";
import ReactCrop from "react-image-crop";
import "react-image-crop/dist/ReactCrop.css";
import { app, compute, page, state } from "./state.js";

const picture = (color) => `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" width="800" height="600"><rect width="800" height="600" fill="${color}"/></svg>`)}`;
function Crop() {
  const [crop, setCrop] = useState();
  state.crop = crop;
  return <ReactCrop crop={crop} onChange={setCrop}><img src={picture("teal")} width={400} alt="Beach" /></ReactCrop>;
}
if (page === "photoswipe") {
  const colors = ["teal", "olive", "navy"];
  app.innerHTML = `<div id="gallery">${colors.map((name) => `<a href="${picture(name)}" data-pswp-width="800" data-pswp-height="600"><img src="${picture(name)}" width="120" alt="${name} picture"></a>`).join("")}</div>`;
  const box = new PhotoSwipeLightbox({ gallery: "#gallery", children: "a", pswpModule: PhotoSwipe });
  box.init();
  compute(() => ({ open: Boolean(box.pswp), index: box.pswp?.currIndex, zoom: box.pswp?.currSlide.currZoomLevel }));
} else {
  createRoot(app).render(<Crop />);
}
