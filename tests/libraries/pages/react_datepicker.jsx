import { useState } from "react";
import { createRoot } from "react-dom/client";
import DatePicker from "react-datepicker";
import "react-datepicker/dist/react-datepicker.css";
import { app, page, state } from "./state.js";

const day = (date) => date && new Date(date - date.getTimezoneOffset() * 60000).toISOString().slice(0, 16).replace("T", " ");
function Page() {
  const [date, setDate] = useState(new Date(2026, 2, 10, 9, 0));
  state.date = day(date);
  return <label>Departure <DatePicker selected={date} onChange={setDate} showTimeSelect={page === "time"}
    dateFormat={page === "time" ? "MMMM d, yyyy h:mm aa" : "MM/dd/yyyy"} minDate={page === "limit" ? new Date(2026, 2, 5) : null} /></label>;
}
createRoot(app).render(<Page />);
