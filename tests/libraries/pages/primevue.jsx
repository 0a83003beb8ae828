import { createApp, h, ref } from "vue";
import PrimeVue from "primevue/config";
import Aura from "@primeuix/themes/aura";
import Button from "primevue/button";
import Checkbox from "primevue/checkbox";
import DataTable from "primevue/datatable";
import Column from "primevue/column";
import Dialog from "primevue/dialog";
import InputMask from "primevue/inputmask";
import InputOtp from "primevue/inputotp";
import InputText from "primevue/inputtext";
import CascadeSelect from "primevue/cascadeselect";
import ContextMenu from "primevue/contextmenu";
import Rating from "primevue/rating";
import Slider from "primevue/slider";
import TreeSelect from "primevue/treeselect";
import MultiSelect from "primevue/multiselect";
import Select from "primevue/select";
import { state } from "./state.js";

const CITIES = ["Lisbon", "Oslo", "Paris", "Rome"].map((name) => ({ name, code: name.slice(0, 2) }));
const model = (value) => ({ modelValue: value.value, "onUpdate:modelValue": (next) => (value.value = next) });

const keep = (name, initial = null) => { const value = ref(initial);
  return () => ({ modelValue: value.value, "onUpdate:modelValue": (next) => { value.value = next; state[name] = JSON.parse(JSON.stringify(next)); } }); };
const ITEMS = Array.from({ length: 1000 }, (_, index) => ({ label: `Item ${index}`, value: index }));
const FILES = [{ key: "0", label: "Documents", children: [{ key: "0-0", label: "Work", children: [{ key: "0-0-0", label: "Expenses.doc" }, { key: "0-0-1", label: "Resume.doc" }] },
  { key: "0-1", label: "Home", children: [{ key: "0-1-0", label: "Invoices.txt" }] }] }, { key: "1", label: "Pictures" }];
const COUNTRIES = [{ name: "Australia", states: [{ name: "Queensland", cities: [{ cname: "Brisbane" }, { cname: "Cairns" }] }] },
  { name: "Canada", states: [{ name: "Ontario", cities: [{ cname: "Ottawa" }, { cname: "Toronto" }] }] }];

const PAGES = {
  virtual: () => { const many = keep("items"); return () => h(MultiSelect, { ...many(), options: ITEMS, optionLabel: "label", optionValue: "value",
    placeholder: "Items", virtualScrollerOptions: { itemSize: 40 }, "aria-label": "Items" }); },
  treeselect: () => { const file = keep("file"); return () => h(TreeSelect, { ...file(), options: FILES, placeholder: "Choose a file", style: "width:300px" }); },
  cascade: () => { const city = keep("city"); return () => h(CascadeSelect, { ...city(), options: COUNTRIES, optionLabel: "cname", optionGroupLabel: "name",
    optionGroupChildren: ["states", "cities"], placeholder: "Choose a city", style: "width:300px" }); },
  values: () => { const [phone, code, stars] = ["phone", "code", "stars"].map((name) => keep(name)); const level = keep("level", 20);
    return () => h("div", { style: "width:300px;margin:20px" }, [h(InputMask, { ...phone(), mask: "(999) 999-9999", "aria-label": "Phone" }), h(InputOtp, { ...code(), length: 4, integerOnly: true }),
      h(Rating, stars()), h(Slider, { ...level(), style: "margin-top:30px", "aria-label": "Level" })]); },
  context: () => { const menu = ref(); const go = (name) => () => (state.done = name);
    const model = [{ label: "Rename", command: go("rename") }, { label: "Share", items: [{ label: "By mail", command: go("mail") }, { label: "By link", command: go("link") }] }];
    return () => [h("p", { onContextmenu: (event) => menu.value.show(event) }, "Photo.png"), h(ContextMenu, { ref: menu, model })]; },
  editing: () => { const rows = ref(CITIES.map((city) => ({ ...city })));
    state.row = (index) => rows.value[index];
    return () => h(DataTable, { value: rows.value, editMode: "cell", onCellEditComplete: ({ data, newValue, field }) => (data[field] = newValue) },
      () => [h(Column, { field: "name", header: "City" }, { editor: ({ data, field }) => h(InputText, { modelValue: data[field], "onUpdate:modelValue": (value) => (data[field] = value), autofocus: true }) }),
        h(Column, { field: "code", header: "Code" })]); },
  select: () => { const city = ref(null);
    return () => h(Select, { ...model(city), options: CITIES, optionLabel: "name", placeholder: "Choose a city" }); },
  multi: () => { const cities = ref([]);
    return () => h(MultiSelect, { ...model(cities), options: CITIES, optionLabel: "name", placeholder: "Cities", filter: true }); },
  dialog: () => { const open = ref(false); const name = ref("");
    return () => [h(InputText, { ...model(name), "aria-label": "Behind" }),
      h(Button, { label: "Show", onClick: () => (open.value = true) }),
      h(Dialog, { visible: open.value, "onUpdate:visible": (on) => (open.value = on), modal: true, header: "Profile" },
        () => h(InputText, { "aria-label": "Nickname", autofocus: true }))]; },
  fields: () => { const phone = ref(""); const code = ref(""); const on = ref(false);
    return () => [h(InputMask, { ...model(phone), mask: "99-999", "aria-label": "Phone" }),
      h(InputOtp, { ...model(code), length: 4 }), h(Checkbox, { ...model(on), binary: true, inputId: "c" }),
      h("label", { for: "c" }, "Subscribe"), h("p", { style: { display: on.value ? "" : "none" } }, "Weekly letters")]; },
  table: () => () => h(DataTable, { value: CITIES, sortMode: "single" },
    () => [h(Column, { field: "name", header: "City", sortable: true }), h(Column, { field: "code", header: "Code" })]),
};
const setup = PAGES[new URLSearchParams(location.search).get("page")];
createApp({ setup }).use(PrimeVue, { theme: { preset: Aura } }).mount("#app");
