import { useState } from "react";
import { createRoot } from "react-dom/client";
import { DayPicker } from "react-day-picker";
import "react-day-picker/style.css";
import { app, page, state } from "./state.js";

const day = (date) => date && `${date.getFullYear()}-${date.getMonth() + 1}-${date.getDate()}`;
function Page() {
  const [chosen, setChosen] = useState();
  state.days = [chosen?.from ?? chosen, chosen?.to].flat().filter(Boolean).map(day);
  return <DayPicker mode={page} selected={chosen} onSelect={setChosen} defaultMonth={new Date(2026, 2, 1)} captionLayout="dropdown"
    startMonth={new Date(2020, 0)} endMonth={new Date(2030, 11)} showWeekNumber />;
}
createRoot(app).render(<Page />);
