import { useState } from "react";
import { createRoot } from "react-dom/client";
import { Bar, BarChart, Brush, CartesianGrid, Legend, Tooltip, XAxis, YAxis } from "recharts";
import { app, state } from "./state.js";

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug"];
const data = MONTHS.map((name, index) => ({ name, sales: 10 + index * 3, costs: 30 - index * 2 }));
function Chart() {
  const [hidden, setHidden] = useState([]);
  state.hidden = hidden;
  const toggle = ({ dataKey }) => setHidden(hidden.includes(dataKey) ? hidden.filter((key) => key !== dataKey) : [...hidden, dataKey]);
  return <BarChart width={600} height={320} data={data}><CartesianGrid /><XAxis dataKey="name" /><YAxis /><Tooltip /><Legend onClick={toggle} />
    {["sales", "costs"].map((key) => <Bar key={key} dataKey={key} hide={hidden.includes(key)} fill={key === "sales" ? "#36c" : "#c63"} isAnimationActive={false}
      onClick={({ name }) => (state.pressed = `${key} ${name}`)} />)}
    <Brush dataKey="name" onChange={({ startIndex, endIndex }) => (state.range = [startIndex, endIndex])} /></BarChart>;
}
createRoot(app).render(<Chart />);
