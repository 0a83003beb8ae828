import { initialize } from "@ionic/core/components";
import { defineCustomElement as app_ } from "@ionic/core/components/ion-app.js";
import { defineCustomElement as checkbox } from "@ionic/core/components/ion-checkbox.js";
import { defineCustomElement as datetime } from "@ionic/core/components/ion-datetime.js";
import { defineCustomElement as input } from "@ionic/core/components/ion-input.js";
import { defineCustomElement as item } from "@ionic/core/components/ion-item.js";
import { defineCustomElement as label } from "@ionic/core/components/ion-label.js";
import { defineCustomElement as list } from "@ionic/core/components/ion-list.js";
import { defineCustomElement as range } from "@ionic/core/components/ion-range.js";
import { defineCustomElement as reorder } from "@ionic/core/components/ion-reorder.js";
import { defineCustomElement as group } from "@ionic/core/components/ion-reorder-group.js";
import { defineCustomElement as segment } from "@ionic/core/components/ion-segment.js";
import { defineCustomElement as segmentButton } from "@ionic/core/components/ion-segment-button.js";
import { defineCustomElement as select } from "@ionic/core/components/ion-select.js";
import { defineCustomElement as option } from "@ionic/core/components/ion-select-option.js";
import { defineCustomElement as toggle } from "@ionic/core/components/ion-toggle.js";
import { defineCustomElement as alert_ } from "@ionic/core/components/ion-alert.js";
import { defineCustomElement as popover } from "@ionic/core/components/ion-popover.js";
import "@ionic/core/css/ionic.bundle.css";
import { app, compute, page } from "./state.js";

initialize();
for (const define of [app_, checkbox, datetime, input, item, label, list, range, reorder, group, segment, segmentButton, select, option, toggle, alert_, popover]) define();
const options = ["Apples", "Bananas", "Plums"].map((name) => `<ion-select-option value="${name.toLowerCase()}">${name}</ion-select-option>`).join("");
const PAGES = {
  form: `<ion-list><ion-item><ion-input label="Name"></ion-input></ion-item><ion-item><ion-toggle>Alerts</ion-toggle></ion-item><ion-item><ion-checkbox>Agree</ion-checkbox></ion-item>
    <ion-item><ion-range label="Volume" aria-label="Volume"></ion-range></ion-item></ion-list>
    <ion-segment value="all">${["all", "favorites"].map((name) => `<ion-segment-button value="${name}"><ion-label>${name}</ion-label></ion-segment-button>`).join("")}</ion-segment>`,
  select: `<ion-list><ion-item><ion-select label="Fruit" id="a">${options}</ion-select></ion-item><ion-item><ion-select label="Fruits" multiple id="b">${options}</ion-select></ion-item>
    <ion-item><ion-select label="Snack" interface="popover" id="c">${options}</ion-select></ion-item></ion-list>`,
  date: `<ion-datetime value="2026-03-10T09:00"></ion-datetime>`,
  order: `<ion-list><ion-reorder-group disabled="false">${["One", "Two", "Three"].map((name) => `<ion-item><ion-label>${name}</ion-label><ion-reorder slot="end"></ion-reorder></ion-item>`).join("")}</ion-reorder-group></ion-list>`,
};
app.innerHTML = `<ion-app style="overflow:auto">${PAGES[page]}</ion-app>`;
app.querySelector("ion-reorder-group")?.addEventListener("ionItemReorder", ({ detail }) => detail.complete());
const get = (name) => app.querySelector(name);
compute(() => ({ name: get("ion-input")?.value, alerts: get("ion-toggle")?.checked, agree: get("ion-checkbox")?.checked, volume: get("ion-range")?.value, segment: get("ion-segment")?.value,
  fruit: get("#a")?.value, fruits: get("#b")?.value, snack: get("#c")?.value, date: get("ion-datetime")?.value, order: [...app.querySelectorAll("ion-item ion-label")].map((one) => one.textContent) }));
