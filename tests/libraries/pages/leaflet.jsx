import L from "leaflet";
import "leaflet/dist/leaflet.css";
import { app, compute } from "./state.js";

document.body.style.margin = "0";
app.style.cssText = "width:800px;height:500px";
const map = L.map(app, { zoomControl: true, zoomAnimation: false, fadeAnimation: false }).setView([50, 10], 5);
const icon = (color) => L.divIcon({ html: `<div style="width:16px;height:16px;border-radius:8px;background:${color}"></div>`, className: "" });
const museum = L.marker([50, 10], { title: "Museum", alt: "Museum", icon: icon("red") }).addTo(map);
museum.bindPopup(`<b>Museum</b><br><button id="visit">Plan a visit</button>`);
museum.on("popupopen", () => (document.getElementById("visit").onclick = () => (log.planned = true)));
const truck = L.marker([52, 14], { title: "Truck", alt: "Truck", draggable: true, icon: icon("blue") }).addTo(map);
const log = { planned: false, circle: 0, menu: "" };
L.circle([48, 5], { radius: 90000 }).addTo(map).on("click", () => (log.circle += 1));
map.on("contextmenu", (event) => L.popup().setLatLng(event.latlng).setContent("What is here?").openOn(map) && (log.menu = "here"));
compute(() => ({
  ...log, zoom: map.getZoom(), center: map.getCenter(), truck: map.latLngToContainerPoint(truck.getLatLng()),
}));
