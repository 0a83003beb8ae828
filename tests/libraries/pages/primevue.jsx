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
import MultiSelect from "primevue/multiselect";
import Select from "primevue/select";

const CITIES = ["Lisbon", "Oslo", "Paris", "Rome"].map((name) => ({ name, code: name.slice(0, 2) }));
const model = (value) => ({ modelValue: value.value, "onUpdate:modelValue": (next) => (value.value = next) });

const PAGES = {
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
