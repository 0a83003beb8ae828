import { Calendar } from "@fullcalendar/core";
import dayGridPlugin from "@fullcalendar/daygrid";
import interactionPlugin from "@fullcalendar/interaction";
import timeGridPlugin from "@fullcalendar/timegrid";
import { compute } from "./state.js";

const page = new URLSearchParams(location.search).get("page");
const log = {};
const box = document.getElementById("app");
const events = Array.from({ length: page === "full" ? 9 : 2 }, (_, index) => ({
  title: `Meeting ${index}`, start: `2026-03-${page === "full" ? 10 : 10 + index}T1${index}:00`,
}));
const calendar = new Calendar(box, {
  plugins: [dayGridPlugin, timeGridPlugin, interactionPlugin],
  initialView: { work: "timeGridWeek", week: "timeGridWeek", day: "timeGridDay" }[page] ?? "dayGridMonth",
  initialDate: "2026-03-10", events, editable: page === "edit" || page === "work", selectable: page === "work", dayMaxEvents: 2,
  ...(page === "work" && { scrollTime: "08:00", timeZone: "UTC", height: 600, select: ({ startStr, endStr }) => (log.slot = [startStr, endStr]) }),
  dateClick: ({ dateStr }) => (log.day = dateStr), eventClick: ({ event }) => (log.event = event.title),
  headerToolbar: { left: "prev,next", center: "title", right: "dayGridMonth,timeGridWeek" },
});
calendar.render();
compute(() => ({ ...log, view: calendar.view.type, start: Object.fromEntries(calendar.getEvents().map((one) => [one.title, one.startStr])), end: calendar.getEvents()[0].endStr }));
