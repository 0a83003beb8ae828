import flatpickr from "flatpickr";
import "flatpickr/dist/flatpickr.css";
import { compute } from "./state.js";

const OPTIONS = {
  single: { defaultDate: "2026-03-10" },
  range: { mode: "range", defaultDate: ["2026-03-10", "2026-03-12"], showMonths: 2 },
  time: { enableTime: true, defaultDate: "2026-03-10 12:30" },
  alt: { altInput: true, altFormat: "F j, Y", defaultDate: "2026-03-10" },
  inline: { inline: true, defaultDate: "2026-03-10" },
};
document.getElementById("app").innerHTML = `<label>Date <input id="date"></label><label>Note <input></label>`;
const picker = flatpickr("#date", OPTIONS[new URLSearchParams(location.search).get("page")]);
compute(() => ({ dates: picker.selectedDates.map((date) => picker.formatDate(date, "Y-m-d H:i")) }));
