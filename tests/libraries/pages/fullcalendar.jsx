import { Calendar } from "@fullcalendar/core";
import dayGridPlugin from "@fullcalendar/daygrid";
import interactionPlugin from "@fullcalendar/interaction";
import timeGridPlugin from "@fullcalendar/timegrid";

const page = new URLSearchParams(location.search).get("page");
const box = document.getElementById("app");
const events = Array.from({ length: page === "full" ? 9 : 2 }, (_, index) => ({
  title: `Meeting ${index}`, start: `2026-03-${page === "full" ? 10 : 10 + index}T1${index}:00`,
}));
new Calendar(box, {
  plugins: [dayGridPlugin, timeGridPlugin, interactionPlugin],
  initialView: { week: "timeGridWeek", day: "timeGridDay" }[page] ?? "dayGridMonth",
  initialDate: "2026-03-10", events, editable: page === "edit", dayMaxEvents: 2,
  headerToolbar: { left: "prev,next", center: "title", right: "dayGridMonth,timeGridWeek" },
}).render();
