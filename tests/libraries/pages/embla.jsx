import EmblaCarousel from "embla-carousel";
import Splide from "@splidejs/splide";
import "@splidejs/splide/css";
import { app, compute, page } from "./state.js";

const slides = ["Red", "Green", "Blue", "White", "Black"];
if (page === "splide") {
  app.innerHTML = `<section class="splide" aria-label="Colours" style="width:500px"><div class="splide__track"><ul class="splide__list">
    ${slides.map((name) => `<li class="splide__slide"><div style="height:200px">${name}</div> <a href="#${name}">About ${name}</a></li>`).join("")}</ul></div></section>`;
  const splide = new Splide(".splide", { type: "loop", perPage: 1 }).mount();
  compute(() => ({ slide: slides[splide.index] }));
} else {
  app.innerHTML = `<div id="view" style="overflow:hidden;width:500px"><div style="display:flex">
    ${slides.map((name) => `<div style="flex:0 0 100%;height:200px;user-select:none">${name}</div>`).join("")}</div></div><button>Previous</button><button>Next</button>`;
  const carousel = EmblaCarousel(app.querySelector("#view"), { loop: false });
  const [previous, next] = app.querySelectorAll("button");
  previous.onclick = () => carousel.scrollPrev();
  next.onclick = () => carousel.scrollNext();
  compute(() => ({ slide: slides[carousel.selectedScrollSnap()] }));
}
