import { Datepicker } from "vanillajs-datepicker";
import "vanillajs-datepicker/css/datepicker.css";
import { app, compute } from "./state.js";

app.innerHTML = `<label for="day">Birthday</label> <input id="day">`;
const picker = new Datepicker(app.querySelector("#day"), { defaultViewDate: new Date(2026, 2, 10), autohide: true, format: "dd.mm.yyyy" });
compute(() => ({ date: picker.getDate("yyyy-mm-dd") }));
