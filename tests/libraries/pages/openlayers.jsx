import Feature from "ol/Feature.js";
import Map from "ol/Map.js";
import View from "ol/View.js";
import Point from "ol/geom/Point.js";
import Draw from "ol/interaction/Draw.js";
import VectorLayer from "ol/layer/Vector.js";
import VectorSource from "ol/source/Vector.js";
import "ol/ol.css";
import { app, compute, page } from "./state.js";

document.body.style.margin = "0";
app.style.cssText = "width:800px;height:500px";
const source = new VectorSource({ features: [new Feature({ geometry: new Point([0, 0]), name: "Station" })] });
const map = new Map({
  target: app, layers: [new VectorLayer({ source })], view: new View({ center: [0, 0], resolution: 10, constrainResolution: true }),
});
let chosen = "";
map.on("singleclick", (event) => map.forEachFeatureAtPixel(event.pixel, (feature) => (chosen = feature.get("name"))));
const shapes = [];
if (page === "draw") {
  const draw = new Draw({ source, type: "Polygon" });
  draw.on("drawend", (event) => shapes.push(event.feature.getGeometry().getCoordinates()[0].length - 1));
  map.addInteraction(draw);
}
compute(() => ({ chosen, shapes, center: map.getView().getCenter(), zoom: map.getView().getZoom() }));
