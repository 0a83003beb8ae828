import { createApp, h, reactive, ref } from "vue";
import {
  QBtn, QDate, QDialog, QCard, QInput, QItem, QItemSection, QList, QMenu, QPopupProxy, QRange, QRating, QSelect, QSlider, QTime, QToggle, QTree, Quasar,
} from "quasar";
import "quasar/dist/quasar.css";
import { app, page, state } from "./state.js";

const data = reactive({ zones: [], level: 20, band: { min: 20, max: 60 }, stars: 1, on: false, date: "2026/03/10", time: "09:00", ticked: [], name: "" });
const model = (name, more) => ({ modelValue: data[name], "onUpdate:modelValue": (value) => { data[name] = value; state[name] = JSON.parse(JSON.stringify(value)); }, ...more });
const ZONES = Array.from({ length: 39 }, (_, index) => `Zone ${index + 1}`);
const NODES = [{ label: "Food", children: [{ label: "Fruit", children: [{ label: "Apples" }, { label: "Pears" }] }, { label: "Bread" }] }];
const open = ref(false);
const PAGES = {
  select: () => h(QSelect, model("zones", { label: "Zones", multiple: true, options: ZONES, style: "width:300px" })),
  values: () => h("div", { style: "width:300px;margin:30px" }, [h(QSlider, model("level", { min: 0, max: 100, label: true, "aria-label": "Level" })),
    h(QRange, model("band", { min: 0, max: 100 })), h(QRating, model("stars", { max: 5, size: "2em" })), h(QToggle, model("on", { label: "Night mode" }))]),
  date: () => h("div", [h(QInput, model("date", { label: "Day", style: "width:300px" }), { append: () => h(QBtn, { label: "Choose a day" },
    () => h(QPopupProxy, () => h(QDate, model("date")))) }), h(QTime, model("time", { format24h: true }))]),
  dialog: () => h("div", [h(QBtn, { label: "Invite", onClick: () => (open.value = true) }),
    h(QDialog, { modelValue: open.value, "onUpdate:modelValue": (on) => (open.value = on) }, () => h(QCard, { style: "padding:20px" },
      () => [h(QInput, model("name", { label: "Guest name" })), h(QBtn, { label: "Send", onClick: () => { state.sent = data.name; open.value = false; } })])),
    h(QBtn, { label: "More" }, () => h(QMenu, () => h(QList, () => ["Copy", "Archive"].map((name) =>
      h(QItem, { clickable: true, onClick: () => (state.done = name) }, () => h(QItemSection, () => name))))))]),
  tree: () => h(QTree, { nodes: NODES, nodeKey: "label", tickStrategy: "leaf", ticked: data.ticked,
    "onUpdate:ticked": (keys) => { data.ticked = keys; state.ticked = [...keys]; } }),
};
// The icons of its font are as wide as they are high; without the font, they are words.
document.head.append(Object.assign(document.createElement("style"), { textContent: ".material-icons{width:1em;overflow:hidden}" }));
const render = PAGES[page];
createApp({ render: () => render() }).use(Quasar, {}).mount(app);
